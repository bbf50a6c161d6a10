// What every example begins with: a client, made of the settings of your server.
// #region client
import { createCowrie } from '@cowrie/sdk'

export const cowrie = createCowrie({
  baseUrl: process.env.COWRIE_URL ?? '',
  apiKey: process.env.COWRIE_API_KEY ?? '',
  secretKey: process.env.COWRIE_SECRET_KEY ?? '',
})
export const contractCode = process.env.COWRIE_CONTRACT ?? ''
export const wallet = process.env.COWRIE_WALLET ?? ''
// #endregion
