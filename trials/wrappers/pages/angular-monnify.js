// Its sources: what its package.json names is not in the package.
import 'zone.js'
import 'reflect-metadata'
import '@angular/compiler'
import { Component, NgModule } from '@angular/core'
import { BrowserModule } from '@angular/platform-browser'
import { platformBrowserDynamic } from '@angular/platform-browser-dynamic'
import { AngularMonnifyModule } from 'angular-monnify/src/lib/angular-monnify.module'
import { order, tell } from './shop.js'

class Shop {
  order = order
  completed = tell('onComplete')
  closed = tell('onClose')
}
Component({
  selector: '[id=root]',
  template: `<button angular-Monnify [monnifyOptions]="order" (onComplete)="completed($event)" (onClose)="closed($event)">Pay now</button>`,
})(Shop)
class ShopModule {}
NgModule({
  imports: [BrowserModule, AngularMonnifyModule.forRoot(order.apiKey, order.contractCode, true)],
  declarations: [Shop],
  bootstrap: [Shop],
})(ShopModule)
platformBrowserDynamic().bootstrapModule(ShopModule).catch(console.error)
