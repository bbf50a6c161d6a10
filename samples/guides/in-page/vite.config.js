import { monnifyAddresses } from '@cowrie/checkout/vite'

export default { plugins: [monnifyAddresses({ gateway: 'https://pay.example' })] }
