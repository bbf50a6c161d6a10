import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { MonnifyButton, useMonnifyScript } from 'react-monnify'
import { order, tell } from './shop.js'

const props = { ...order, isTestMode: true, onSuccess: tell('onComplete'), onClose: tell('onClose') }
// Its button throws when it is pressed before the script is there, so it is shown afterwards.
const Shop = () => {
  const [isLoaded] = useMonnifyScript(true)
  return isLoaded ? createElement(MonnifyButton, { ...props, text: 'Pay now' }) : 'One moment'
}
createRoot(document.getElementById('root')).render(createElement(Shop))
