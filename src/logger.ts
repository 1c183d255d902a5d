/** The part of a pino logger that most of the gateway needs. */
export interface Logger {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}
