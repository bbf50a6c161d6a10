import { cowrie } from '../cowrie.ts'

// #region limited
const { apiKey, secretKey } = await cowrie.keys.create({
  name: 'Shop server',
  scope: 'COLLECTIONS', // asks for money; can neither pay out nor change settings
  addresses: ['203.0.113.0/24'], // used from nowhere else
})
// #endregion
console.log(apiKey.startsWith('MK_'), secretKey.length > 20)

// #region end
await cowrie.keys.end({ apiKey }) // within five seconds it opens nothing
// #endregion
console.log('ended')
