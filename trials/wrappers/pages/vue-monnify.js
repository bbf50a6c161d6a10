import Vue from 'vue'
import VueMonnify from 'vue-monnify'
import { order, tell } from './shop.js'

const { customerFullName: customerName, paymentMethods = ['ACCOUNT_TRANSFER', 'CARD'], ...rest } = order
const callbacks = { onComplete: tell('onComplete'), onClose: tell('onClose') }
const props = { ...rest, ...callbacks, customerName, paymentMethods, isTestMode: true }
new Vue({ el: '#root', render: (h) => h(VueMonnify, { props }, ['Pay now']) })
