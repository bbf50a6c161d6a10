// A plug-in of Vite for pages whose packages have Monnify's addresses inside: wherever they stand, also in
// node_modules, your gateway's stands instead. The packages themselves stay as they are.

const ADDRESS = /https:\/\/(?:sandbox\.)?sdk\.monnify\.com(?=\/plugin\/monnify\.js)/g

export type MonnifyAddresses = {
  readonly name: string
  readonly transform: (code: string) => { readonly code: string; readonly map: null } | null
  readonly transformIndexHtml: (html: string) => string
}

export function monnifyAddresses({ gateway }: { readonly gateway: string }): MonnifyAddresses {
  const base = gateway.replace(/\/$/, '')
  const replaced = (text: string): string => text.replace(ADDRESS, () => base)
  return {
    name: 'cowrie-monnify-addresses',
    transform: (code) => {
      const ours = replaced(code)
      return ours === code ? null : { code: ours, map: null }
    },
    transformIndexHtml: replaced,
  }
}
