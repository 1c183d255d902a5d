interface ImportMetaEnv {
  /** Where the gateway takes operations. Default: where `npm start` of the gateway listens. */
  readonly VITE_GATEWAY_URL?: string;
}
