interface ImportMetaEnv {
  /** URL of the gateway's GraphQL endpoint. Default: the endpoint of a gateway started by `npm start`. */
  readonly VITE_GATEWAY_URL?: string;
}
