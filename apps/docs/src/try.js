// "Try it" of the reference: sends an operation's recorded request to a sandbox on the reader's own machine,
// and shows the answer. Plain browser JavaScript, one file for all pages; without it a page is whole and has
// no forms. No text becomes markup here. Keys go to an address of this machine and to no other, and are
// forgotten with the tab.
;(() => {
  const SETTINGS = [
    { name: 'address', label: 'Address of your sandbox', store: 'local', value: 'http://127.0.0.1:4000' },
    { name: 'apiKey', label: 'API key', store: 'tab' },
    { name: 'secretKey', label: 'Secret key', store: 'tab', type: 'password' },
    { name: 'contractCode', label: 'Contract code', store: 'tab' },
    { name: 'wallet', label: 'Wallet account number', store: 'tab' },
  ]
  const SEEN =
    /[rR]eference$|^(?:mandateCode|limitProfileCode|subAccountCode|paymentLinkCode|endpointId|eventId|tokenId)$/
  const SHOWN_MAX = 100_000

  const make = (name, more, ...children) => {
    const element = Object.assign(document.createElement(name), more)
    element.append(...children)
    return element
  }

  // ---- what is kept: the address for good, the rest as long as the tab is open. A browser may refuse both.
  const held = new Map()
  const keepIn = (store) => (store === 'local' ? localStorage : sessionStorage)
  const kept = (name, store) => {
    try {
      return keepIn(store).getItem(`cowrie-try-${name}`)
    } catch {
      return held.get(name) ?? null
    }
  }
  const keep = (name, store, value) => {
    held.set(name, value)
    try {
      keepIn(store).setItem(`cowrie-try-${name}`, value)
    } catch {}
  }

  // ---- where to
  /** The origin of an address of this machine; null for any other. */
  const ownOrigin = (text) => {
    const trimmed = text.trim()
    const full = /^\w+:\/\//.test(trimmed) ? trimmed : `http://${trimmed}`
    if (!URL.canParse(full)) return null
    const { protocol, hostname, username, password, origin } = new URL(full)
    const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
    return isHere && /^https?:$/.test(protocol) && username + password === '' ? origin : null
  }
  /** Thrown where nothing can be sent; its words are shown. */
  class Refused extends Error {}

  // ---- calls
  const options = { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer', cache: 'no-store' }
  const ask = (origin, url, more) =>
    fetch(url, { ...options, ...more }).catch(() => {
      throw new Refused(
        `No answer from ${origin}. Does the sandbox run there? A live gateway does not answer pages. Safari lets no page that came by https ask this machine: use another browser.`,
      )
    })
  const basic = ({ apiKey, secretKey }) => {
    const bytes = new TextEncoder().encode(`${apiKey}:${secretKey}`)
    return `Basic ${btoa(String.fromCharCode(...bytes))}`
  }

  let token = { of: '', text: '' }
  const tokenOf = async (origin, keys) => {
    const of = origin + basic(keys)
    if (token.of === of) return token.text
    const answer = await ask(origin, `${origin}/api/v1/auth/login`, {
      method: 'POST',
      headers: { authorization: basic(keys) },
    })
    const { responseBody, responseMessage } = await answer.json()
    if (!answer.ok) throw new Refused(`The log-in was refused: ${responseMessage} Are these the keys of this sandbox?`)
    token = { of, text: responseBody.accessToken }
    return token.text
  }

  /** Where the request goes; throws where it may not. */
  const destination = ({ address, apiKey, secretKey }, auth) => {
    const origin = ownOrigin(address)
    if (origin === null)
      throw new Refused(
        `Nothing was sent: ${address || 'no address'} is not this machine. This page sends only to a sandbox at 127.0.0.1, localhost or [::1].`,
      )
    if (auth !== 'none' && (apiKey === '' || secretKey === ''))
      throw new Refused(
        'Nothing was sent: give the API key and the secret key that your sandbox printed when it started.',
      )
    if (apiKey.startsWith('MK_PROD_'))
      throw new Refused('Nothing was sent: these are keys of a live gateway. Take those of your sandbox.')
    return origin
  }

  const send = async ({ method, path, auth }, given) => {
    const keys = settings()
    const origin = destination(keys, auth)
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given.values[name]))
    const query = new URLSearchParams(Object.entries(given.query).filter(([, value]) => value !== ''))
    const url = origin + filled + (query.size > 0 ? `?${query}` : '')
    const attempt = async () =>
      ask(origin, url, {
        method,
        headers: {
          ...(auth === 'basic' ? { authorization: basic(keys) } : {}),
          ...(auth === 'bearer' ? { authorization: `Bearer ${await tokenOf(origin, keys)}` } : {}),
          ...(given.body === null ? {} : { 'content-type': 'application/json' }),
          ...(given.key ? { 'idempotency-key': given.key } : {}),
        },
        ...(given.body === null ? {} : { body: given.body }),
      })
    let answer = await attempt()
    if (answer.status === 401 && auth === 'bearer') {
      token = { of: '', text: '' } // it lasts an hour
      answer = await attempt()
    }
    return { answer, text: await answer.text() }
  }

  // ---- references of earlier tries: the next operation uses them in the place of the recorded ones
  const seenName = (group, name) => (name === 'reference' ? `${group} reference` : name)
  const seen = () => JSON.parse(kept('seen', 'tab') ?? '{}')
  const remember = (group, ...objects) => {
    const all = seen()
    for (const object of objects)
      for (const [name, value] of Object.entries(object ?? {}))
        if (SEEN.test(name) && typeof value === 'string') all[seenName(group, name)] = value
    keep('seen', 'tab', JSON.stringify(all))
  }
  const parsed = (text) => {
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }
  const firstOf = (reply) => {
    const list = Array.isArray(reply) ? reply : Array.isArray(reply?.content) ? reply.content : [reply]
    return typeof list[0] === 'object' ? list[0] : null
  }

  // ---- the answer
  const HEADERS = ['x-request-id', 'idempotent-replayed', 'x-cowrie-unknown-fields', 'retry-after']
  const shown = ({ answer, text }) => {
    const value = parsed(text)
    const pretty = value === null ? text : JSON.stringify(value, null, 2)
    const facts = HEADERS.flatMap((name) => {
      const said = answer.headers.get(name)
      return said === null ? [] : [make('dt', {}, name), make('dd', {}, make('code', {}, said))]
    })
    const page = value?.responseBody?.checkoutUrl
    return [
      make('p', { className: answer.ok ? 'good' : 'bad' }, `${answer.status} ${answer.statusText}`.trim()),
      ...(facts.length > 0 ? [make('dl', {}, ...facts)] : []),
      make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'The answer of your sandbox' }, pretty.slice(0, SHOWN_MAX)),
      ...(typeof page === 'string' && ownOrigin(page) !== null
        ? [make('a', { href: page, target: '_blank', rel: 'noreferrer' }, 'Open the checkout page and pay')]
        : []),
    ]
  }

  // ---- the form
  let made = 0
  const field = (label, control) => {
    made += 1
    control.id = `try-${made}`
    return make('label', { htmlFor: control.id }, make('span', {}, label), control)
  }
  const input = (more) => make('input', { type: 'text', autocomplete: 'off', spellcheck: false, ...more })

  /** Tells the forms of the page that what they are made of is another now. */
  const changes = new EventTarget()
  const tellChange = () => changes.dispatchEvent(new Event('change'))

  const mine = new Map(
    SETTINGS.map(({ name, store, type = 'text', value = '' }) => {
      const control = input({ type, name, value: kept(name, store) ?? value })
      control.addEventListener('input', () => {
        if (name !== 'address' || ownOrigin(control.value) !== null) keep(name, store, control.value.trim())
        tellChange()
      })
      return [name, control]
    }),
  )
  const settings = () => Object.fromEntries([...mine].map(([name, { value }]) => [name, value.trim()]))
  /** One for all forms of a page: it goes to where the reader is. */
  const mineFields = make(
    'fieldset',
    {},
    make('legend', {}, 'Your sandbox'),
    ...SETTINGS.map(({ name, label }) => field(label, mine.get(name))),
    make(
      'p',
      {},
      'The sandbox prints them when it starts, and has them in .cowrie/handle.json. Keys stay in this tab.',
    ),
  )

  /** The request with the reader's own values, and references that were not used yet. */
  const preparedOf = (call, suffix) => {
    const keys = settings()
    const known = seen()
    const own = (value) => {
      const setting = call.mine.find(([, recorded]) => recorded === value)?.[0]
      return (setting && keys[setting]) || value
    }
    const named = ([name, value]) => [name, known[seenName(call.group, name)] ?? own(value)]
    const values = (list) => Object.fromEntries(Object.entries(list ?? {}).map(named))
    const within = (name, value) => {
      if (Array.isArray(value)) return value.map((one) => within('', one))
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(key, one)]))
      if (typeof value !== 'string') return value
      if (call.fresh.includes(value)) return `${value}-${suffix}`
      return known[seenName(call.group, name)] ?? own(value)
    }
    // Parts of a body that name something which the reader has not made yet.
    const isLater = (name) => call.later.some(([field, code]) => field === name && known[code] === undefined)
    const full = Array.isArray(call.body)
      ? call.body
      : Object.fromEntries(Object.entries(call.body ?? {}).filter(([name]) => !isLater(name)))
    return {
      values: values(call.values),
      query: values(call.query),
      body: call.body === undefined ? null : JSON.stringify(within('', full), null, 2),
    }
  }

  const newSuffix = () => Math.random().toString(36).slice(2, 7)

  /** The fields of a request, and what they hold. What the reader changed stays as it is. */
  const fieldsOf = (call) => {
    let suffix = newSuffix()
    const controls = []
    const take = (label, element, read) => {
      controls.push({ element, read, last: null })
      return field(label, element)
    }
    const inputs = (kind) => Object.keys(call[kind] ?? {}).map((name) => take(name, input(), (all) => all[kind][name]))
    const body = call.body === undefined ? null : make('textarea', { spellcheck: false })
    const key = call.key ? input() : null
    const labels = [
      ...inputs('values'),
      ...inputs('query'),
      ...(body ? [take('Body', body, (all) => all.body)] : []),
      ...(key ? [field('Idempotency-Key (optional)', key)] : []),
    ]
    const prepare = () => {
      const all = preparedOf(call, suffix)
      for (const one of controls) {
        if (one.last !== null && one.element.value !== one.last) continue
        one.last = one.read(all)
        one.element.value = one.last
      }
      if (body) body.rows = Math.min(20, body.value.split('\n').length + 1)
    }
    const given = () => {
      const texts = controls.map(({ element }) => element.value)
      const of = (kind) => Object.fromEntries(Object.keys(call[kind] ?? {}).map((name) => [name, texts.shift()]))
      return { values: of('values'), query: of('query'), body: body?.value ?? null, key: key?.value.trim() ?? '' }
    }
    /** The next press is another request. */
    const renew = () => {
      const before = `-${suffix}`
      suffix = newSuffix()
      if (body && body.value !== controls.at(-1).last) body.value = body.value.replaceAll(before, `-${suffix}`)
    }
    return { labels, prepare, given, renew }
  }

  const build = (call) => {
    const { labels, prepare, given, renew } = fieldsOf(call)
    const button = make('button', { type: 'submit' }, `Send ${call.method}`)
    const output = make('div', { className: 'answer' })
    output.setAttribute('role', 'status')
    const form = make('form', { noValidate: true }, ...labels, button, output)
    const submit = async () => {
      const sent = given()
      const got = await send(call, sent)
      output.replaceChildren(...shown(got))
      if (!got.answer.ok) return
      remember(call.group, sent.values, sent.query, parsed(sent.body ?? ''), firstOf(parsed(got.text)?.responseBody))
      renew()
      tellChange()
    }
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      button.disabled = true
      output.replaceChildren(make('p', {}, 'Sending …'))
      await submit().catch((error) => {
        const says = error instanceof Refused ? error.message : `The answer cannot be read: ${error.message}`
        output.replaceChildren(make('p', { className: 'bad' }, says))
      })
      button.disabled = false
    })
    changes.addEventListener('change', prepare)
    const open = () => {
      form.prepend(mineFields)
      prepare()
    }
    return { form, open }
  }

  for (const place of document.querySelectorAll('[data-try]')) {
    const details = make('details', { name: 'try' }, make('summary', {}, 'Try it in your sandbox'))
    let built = null
    details.addEventListener('toggle', () => {
      if (!details.open) return
      if (built === null) {
        // Made when somebody opens it: a page has up to twenty.
        built = build(JSON.parse(place.dataset.try))
        details.append(built.form)
      }
      built.open()
    })
    place.append(details)
  }
})()
