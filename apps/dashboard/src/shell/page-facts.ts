// What the gateway wrote into the page it served: where this is, and which ways in there are.
const content = (name: string): string =>
  document.querySelector(`meta[name="cowrie-${name}"]`)?.getAttribute('content') ?? ''

export const isSandbox = (): boolean => content('environment') === 'sandbox'
export const hasIdentityProvider = (): boolean => content('identity-provider') === 'on'
