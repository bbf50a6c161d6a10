// The checkout's script: copy buttons, live status, count-down, the way back, card forms, the search for a
// bank. Plain browser JavaScript, inlined by script.ts under a policy of hashes and Trusted Types: no text
// becomes markup here. The page is whole without it. When the payment has changed, the page is asked for
// anew: the server alone knows the state.
;(() => {
  const page = document.getElementById('pay')
  if (!page) return
  const { base, home, mark, now, until, watch, left, offline, online } = page.dataset
  const all = (selector) => [...document.querySelectorAll(selector)]
  const say = (text) => {
    document.getElementById('say').textContent = text
  }
  const make = (name, more, ...children) => {
    const element = Object.assign(document.createElement(name), more)
    element.append(...children)
    return element
  }

  // ---- copy
  const copyByHand = (text) => {
    const area = make('textarea', { value: text, className: 'unseen' })
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
  for (const button of all('[data-copy]')) {
    button.hidden = false
    const words = button.firstChild
    const before = words.data
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy)
      } catch {
        copyByHand(button.dataset.copy)
        button.focus()
      }
      say('')
      say(button.dataset.said)
      button.classList.add('done')
      words.data = '✓'
      setTimeout(() => {
        button.classList.remove('done')
        words.data = before
      }, 2000)
    })
  }

  // ---- the server's time, counted on by a clock that nobody can set
  let known = { now: Number(now), at: performance.now() }
  const serverNow = () => known.now + performance.now() - known.at
  const clock = document.getElementById('left')
  let announced = 0
  const tick = () => {
    const seconds = Math.ceil((Number(until) - serverNow()) / 1000)
    clock.hidden = seconds > 600 || seconds <= 0
    if (clock.hidden) return
    const text = left.replace('{}', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)
    clock.textContent = text
    const minutes = Math.ceil(seconds / 60)
    if (announced !== minutes && (minutes === 10 || minutes === 5 || minutes === 1)) say(text)
    announced = minutes
  }
  if (until && clock) {
    tick()
    setInterval(tick, 1000)
  }

  // ---- live status: a stream, or questions where there is none
  let source = null
  let polling = 0
  let lost = false
  let leaving = false
  const onState = (state) => {
    known = { now: state.now, at: performance.now() }
    // A message that was under way when the network failed does not prove that it is back.
    if (lost && navigator.onLine) {
      say(online)
      lost = false
    }
    if (state.mark === mark || leaving) return
    leaving = true
    location.replace(home)
  }
  const missed = () => {
    if (!lost) say(offline)
    lost = true
  }
  const ask = () => {
    fetch(`${base}/status`, { cache: 'no-store' })
      .then((answer) => answer.json())
      .then(onState)
      .catch(missed)
  }
  const poll = () => {
    clearInterval(polling)
    polling = setInterval(() => document.hidden || ask(), 5000)
  }
  const listen = () => {
    if (source) source.close()
    clearInterval(polling)
    if (!window.EventSource) return poll()
    source = new EventSource(`${base}/live`)
    source.onmessage = (message) => onState(JSON.parse(message.data))
    source.onerror = () => {
      missed()
      if (source.readyState === 2) poll()
    }
  }
  for (const note of all('[data-still]')) note.hidden = true
  const again = () => {
    ask()
    if (watch !== undefined) listen()
  }
  if (watch !== undefined) listen()
  addEventListener('offline', missed)
  addEventListener('online', again)
  // Phones cut the connections of pages that are not looked at.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) again()
  })

  // ---- the way back
  const back = document.getElementById('back')
  if (back) {
    let seconds = Number(back.dataset.seconds)
    const words = back.querySelector('span')
    const stop = () => {
      clearInterval(timer)
      back.hidden = true
    }
    const count = () => {
      words.textContent = back.dataset.words.replace('{}', seconds)
      if (seconds <= 0) {
        stop()
        // In a frame on the shop's page: framed.js.
        if (self.leave) leave()
        else location.assign(back.dataset.to)
      }
      seconds -= 1
    }
    const timer = setInterval(count, 1000)
    count()
    back.hidden = false
    // Whoever does something on the page is not sent away from it.
    document.addEventListener('keydown', stop, { once: true })
    document.addEventListener('pointerdown', (event) => event.target.closest('a') || stop())
  }
  for (const button of all('[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }

  // ---- card: a date that cannot be is caught before anything is sent, so that nothing has to be typed
  // twice; and what is wrong with a secret where it is sealed (screens/sealing.js), because nobody but the
  // issuer can look at it then
  const { SEALING } = globalThis
  const seals = (form) => SEALING && form.dataset.key
  const plain = (form, name) => (form.elements[name]?.value ?? '').replace(/[\s-]/g, '')
  const expiryOf = (form) => {
    const [, month = '', year = ''] = /^(\d{1,2})\/?(\d{2}|\d{4})$/.exec(plain(form, 'expiry')) || []
    return { expiryMonth: month.padStart(2, '0'), expiryYear: year.length === 2 ? `20${year}` : year }
  }
  const dateFault = (form) => {
    const { expiryMonth, expiryYear } = expiryOf(form)
    if (expiryMonth < 1 || expiryMonth > 12) return form.dataset.unread
    const today = new Date(serverNow() + 3_600_000) // West Africa Time
    const last = Number(expiryYear) * 12 + Number(expiryMonth)
    return last < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1 ? form.dataset.expired : ''
  }
  const faultOf = (form, name) => {
    if (name === 'expiry') return dateFault(form)
    return seals(form) && !SEALING.isGood(form, name, plain(form, name)) ? form.dataset[name] : ''
  }
  // Below the field, or below its pair.
  const showFault = (field, fault) => {
    const error = `${field.id}-error`
    document.getElementById(error)?.remove()
    const hint = document.getElementById(`${field.id}-hint`)?.id || ''
    field.setAttribute('aria-describedby', fault ? `${error} ${hint}` : hint)
    field.setAttribute('aria-invalid', !!fault)
    if (!fault) return
    const wrong = field.form.querySelector('template').content.firstChild.cloneNode(true)
    wrong.id = error
    wrong.lastChild.textContent = fault
    const pair = field.closest('.pair')
    if (pair) pair.append(wrong)
    else field.closest('.field').after(wrong)
  }
  const refused = (form) => {
    const found = ['number', 'expiry', 'cvv', 'pin']
      .filter((name) => form.elements[name])
      .map((name) => [form.elements[name], faultOf(form, name)])
    for (const [field, fault] of found) showFault(field, fault)
    const [field, fault] = found.find(([, one]) => one) || []
    if (!field) return false
    field.focus()
    say('')
    say(fault)
    return true
  }

  // ---- forms: sent once; the one to the issuer automatically
  for (const form of all('form')) {
    form.addEventListener('submit', (event) => {
      if (refused(form)) return event.preventDefault()
      if (form.dataset.sent) return event.preventDefault()
      form.dataset.sent = '1'
      // The answer shows the state; to ask for the page now would give up the form that is on its way.
      leaving = true
      if (!seals(form)) return
      event.preventDefault()
      const [number, cvv, pin] = ['number', 'cvv', 'pin'].map((name) => plain(form, name) || undefined)
      // What cannot be sealed here is sealed by the gateway, as without a script.
      SEALING.send(form, { number, ...expiryOf(form), cvv, pin }).catch(() => form.submit())
    })
  }
  addEventListener('pageshow', (event) => {
    leaving = false
    for (const form of all('form')) delete form.dataset.sent
    if (event.persisted) ask()
  })
  // Whoever comes back by the browser's own button is not sent there again.
  const [way] = performance.getEntriesByType('navigation')
  if (way?.type !== 'back_forward') for (const one of all('[data-go]')) one.click()

  // ---- card: digits in fours, the brand beside the label
  const number = document.getElementById('card-number')
  if (number) {
    const brand = make('span', { className: 'brand unseen' })
    number.labels[0].append(' ', brand)
    const brands = [
      ['Verve', /^(506[01]|507[89]|6500)/],
      ['Visa', /^4/],
      ['Mastercard', /^(5[1-5]|2[2-7])/],
      ['American Express', /^3[47]/],
    ]
    number.addEventListener('input', () => {
      const end = number.selectionStart === number.value.length
      const digits = number.value.replace(/\D/g, '').slice(0, 19)
      if (end) number.value = digits.replace(/(\d{4})(?=\d)/g, '$1 ')
      brand.textContent = (brands.find(([, start]) => start.test(digits)) || [''])[0]
      for (const mark of all('[data-scheme]'))
        mark.toggleAttribute(
          'hidden',
          digits !== '' && brand.textContent !== '' && mark.dataset.scheme !== brand.textContent,
        )
    })
    const expiry = document.getElementById('card-expiry')
    expiry.addEventListener('input', (event) => {
      if (event.inputType === 'insertText' && /^\d\d$/.test(expiry.value)) expiry.value += '/'
    })
  }

  // ---- banks: searched, the last one first
  const remember = (code) => {
    try {
      if (code) localStorage.setItem('cowrie-bank', code)
      return localStorage.getItem('cowrie-bank')
    } catch {
      return null
    }
  }
  for (const chosen of all('[data-bank]')) remember(chosen.dataset.bank)
  for (const form of all('[data-banks]')) {
    const last = remember()
    const link = ({ value, text }) => {
      const query = new URLSearchParams(new FormData(form))
      query.set('bank', value)
      const item = make('li', {}, make('a', { href: `${base}?${query}`, textContent: text }))
      if (value === last)
        item.firstChild.append(' ', make('span', { className: 'soft', textContent: form.dataset.last }))
      return { item, text: text.toLowerCase(), first: value === last }
    }
    const items = [...form.elements.bank.options].map(link).sort((a, b) => b.first - a.first)
    const none = make('p', { textContent: form.dataset.none, hidden: true })
    const search = make('input', { type: 'search', id: 'search', className: 'in-t', autocomplete: 'off' })
    search.addEventListener('input', () => {
      const words = search.value.toLowerCase().split(/\s+/)
      for (const { item, text } of items) item.hidden = !words.every((word) => text.includes(word))
      none.hidden = items.some(({ item }) => !item.hidden)
      say(none.hidden ? '' : none.textContent)
    })
    const label = make('label', { htmlFor: 'search', textContent: form.dataset.search })
    const list = make('ul', { className: 'banks' }, ...items.map(({ item }) => item))
    form.replaceWith(make('div', { className: 'field' }, label, search), list, none)
  }
})()
