// What seals a card or a PIN for whoever charges the card, so that nobody in between can read it: JWE,
// RSA-OAEP-256 and A256GCM, by the browser's own cryptography. Inlined before browser.js, on pages whose form
// has a key, and nowhere else.
globalThis.SEALING = (() => {
  // Browsers have none in pages that came over an open line: then the gateway seals, as without a script.
  const { subtle } = window.crypto || {}
  const bytesOf = (text) => new TextEncoder().encode(text)
  const base64url = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] || '')
  const seal = async (text, { kid, n, e }) => {
    const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
    const theirs = await subtle.importKey('jwk', { kty: 'RSA', n, e }, oaep, false, ['wrapKey'])
    const ours = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
    const wrapped = await subtle.wrapKey('raw', ours, theirs, oaep)
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const header = base64url(bytesOf(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })))
    const sealed = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(header) }, ours, bytesOf(text))
    return `${header}.${[wrapped, iv, sealed.slice(0, -16), sealed.slice(-16)].map(base64url).join('.')}`
  }

  // Nobody but the issuer can look at what is sealed, so what is wrong with it is found here.
  const lengths = { number: /^\d{12,19}$/, cvv: /^\d{3,4}$/, pin: /^\d{4,6}$/ }
  // Each second digit from the right counts twice, and of what is more than nine the cross sum.
  const hasCheckDigit = (digits) =>
    [...digits].reverse().reduce((sum, digit, at) => sum + ((digit * (1 + (at % 2))) % 9 || Number(digit)), 0) % 10 ===
    0
  const isGood = (form, name, digits) =>
    (digits === '' && !form.elements[name].required) ||
    (lengths[name].test(digits) && (name !== 'number' || hasCheckDigit(digits) || digits === form.dataset.taken))

  // Sends the form with its secrets sealed and nothing in their places. Of a card the gateway learns the
  // first six and the last four digits, and its date.
  const send = async (form, typed) => {
    const { elements } = form
    const { number, pin } = typed
    elements.sealed.value = await seal(number ? JSON.stringify(typed) : pin, JSON.parse(form.dataset.key))
    for (const name of Object.keys(lengths)) if (elements[name]) elements[name].value = ''
    if (number) {
      elements.first6.value = number.slice(0, 6)
      elements.last4.value = number.slice(-4)
    }
    form.submit()
  }
  return subtle && { isGood, send }
})()
