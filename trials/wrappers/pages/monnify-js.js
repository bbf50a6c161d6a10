import Monnify from 'monnify-js'
import { order, tell } from './shop.js'

const { apiKey, contractCode, ...rest } = order
const monnify = new Monnify(apiKey, contractCode)
document.getElementById('pay').onclick = () =>
  monnify.initializePayment({
    ...rest,
    onLoadStart: tell('onLoadStart'),
    onLoadComplete: tell('onLoadComplete'),
    onComplete: tell('onComplete'),
    onClose: tell('onClose'),
  })
