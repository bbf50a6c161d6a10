// The version as the gateway sees it in `user-agent`. The build writes it in; from the sources it is
// `source`.

declare const COWRIE_SDK_VERSION: string

export const VERSION: string = typeof COWRIE_SDK_VERSION === 'undefined' ? 'source' : COWRIE_SDK_VERSION
