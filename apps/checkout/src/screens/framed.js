// On pages that a shop's page opened, before browser.js. In a frame on that page its script is told when to
// look, and when the payer leaves. The page of a bank opens beside the frame, in a window that is this page
// until it is sent there.
;(() => {
  const page = document.getElementById('pay')
  if (!page) return
  const { base, home, watch, shop } = page.dataset
  const all = (selector) => [...document.querySelectorAll(selector)]
  const framed = !!shop && window.parent !== window
  const tell = (what, more) => framed && window.parent.postMessage({ cowrie: what, ...more }, shop)
  if (framed) {
    const asking = page.dataset.asking !== undefined
    const stay = document.querySelector('[data-keep]')
    const cancel = document.querySelector('[data-cancel]')
    const leave = () => {
      if (cancel) return cancel.click()
      if (watch === undefined) return tell('close')
      tell('surely')
    }
    tell('ready', { asking })
    addEventListener('message', ({ source, origin, data }) => {
      if (source === window.parent && origin === shop && data?.cowrie === 'leave') leave()
    })
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (asking) stay.click()
      else tell('escape')
    })
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a')
      if (!link || link.hasAttribute('data-beside')) return
      if (link.hasAttribute('data-return')) {
        event.preventDefault()
        tell('close')
      } else if (link.origin !== location.origin) link.target = '_blank'
    })
    window.leave = () => tell('close')
    for (const go of all('[data-go]')) {
      go.removeAttribute('data-go') // browser.js follows those by itself
      go.dataset.beside = ''
      go.addEventListener('click', (event) => {
        event.preventDefault()
        const there = new URL(home, location.href)
        there.searchParams.set('way', 'card')
        there.searchParams.set('beside', '1')
        const opened = window.open(there.href)
        if (opened) opened.opener = null
        else tell('tab') // popups are refused: the whole tab goes
      })
    }
  }
  // The window beside the frame has done its part when it is back from the issuer.
  const isBeside = () => {
    try {
      if (new URLSearchParams(location.search).has('beside')) sessionStorage.setItem(base, 'beside')
      return sessionStorage.getItem(base) === 'beside'
    } catch {
      return false
    }
  }
  const beside = !!shop && !framed && isBeside()
  if (beside && !document.querySelector('[data-go]')) {
    for (const one of all('[data-return]')) one.hidden = true
    window.close()
  }
  // It does not go to the shop: the page beside which it was opened does.
  if (beside) document.getElementById('back')?.removeAttribute('id')
})()
