// The script that a shop's page loads: it opens a transaction at the gateway that it came from, shows the
// hosted page in a frame, and tells the page how it ended, each thing once. What it tells is what the
// gateway answers: messages of the frame are only a reason to ask. Built into src/in-page.ts by
// `npm run generate`; no dependency, no cookie, no storage, no style sheet.
//   initialize → [door] frame → [frame: ready] → [it ended] onComplete → [payer closes] onClose
import type { Closed, Completed, End, Options } from './options.ts'

type Listener = { readonly options: Options; readonly done: (end: End) => void; told: boolean }
type Opened = { readonly checkoutUrl: string; readonly merchantName: string }

const LOAD_MS = 15_000
const SHOW_MS = 250
const SOON_MS = 2_000
const ASK_MS = 4_000
/** An hour of them after the frame was closed: a transfer that was sent before may come late. */
const QUESTIONS_MAX = 900
const PATH_MAX = 500

const own = document.currentScript as HTMLScriptElement | null
const door = new URL('transactions', own?.src.replace(/\/plugin\/.*$/, '/plugin/') ?? location.href).href
// biome-ignore lint/suspicious/noConsole: the only place where a shop's developer sees what was wrong
const log = (text: string): void => console.error(`[checkout] ${text}`)

/** A fault of the shop's own code stays its own. */
function call<T extends unknown[]>(work: ((...values: T) => void) | undefined, ...values: T): void {
  try {
    work?.(...values)
  } catch (error) {
    setTimeout(() => {
      throw error
    })
  }
}

const closedBy = (code: string, message: string, options: Options, status = 'FAILED'): Closed => ({
  authorizedAmount: Number(options.amount) || 0,
  paymentStatus: status,
  redirectUrl: options.redirectUrl || null,
  responseCode: code,
  responseMessage: message,
})

/** Wrappers send what their user left out as an empty text. Two presses of one button ask for one payment:
 *  without a reference they get one between them. */
const bodyOf = (options: Options): string => {
  const sent = Object.entries(options).filter(
    ([, value]) => typeof value !== 'function' && value !== '' && value !== null,
  )
  const made = options.checkoutUrl || options.reference || options.paymentReference ? {} : { reference: newReference() }
  // The path of a page that was given as text, such as one in a WebView, is `blank`.
  const page = location.pathname.startsWith('/') ? { page: location.pathname.slice(0, PATH_MAX) } : {}
  return JSON.stringify({ ...Object.fromEntries(sent), ...made, ...page })
}
const newReference = (): string => {
  const parts = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36))
  return `page-${parts.join('')}`
}

/** Where many payments wait that were opened and not paid, the gateway asks for some work first. Whoever is
 *  not done by then has waited instead, and that is taken too. */
const SOLVE_MS = 61_000
const answerTo = (puzzle: string): Promise<object> =>
  new Promise((done) => {
    setTimeout(() => done({ puzzle }), SOLVE_MS)
    solvePuzzle(puzzle, (number) => done({ puzzle, answer: String(number) }))
  })

/** Asks at the door; a text body needs no second request before it. */
async function open(options: Options, work?: object): Promise<Opened> {
  const answer = await fetch(door, {
    method: 'POST',
    body: bodyOf({ ...options, ...work }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(LOAD_MS),
  })
  const puzzle = work ? null : answer.headers.get('x-cowrie-puzzle')
  if (puzzle) return open(options, await answerTo(puzzle))
  const json = await answer.json()
  if (json.requestSuccessful) return json.responseBody
  throw Object.assign(new Error(`${json.responseMessage}. ${json.problem?.hint ?? ''}`), { code: json.problem?.code })
}

type Look = Partial<Omit<CSSStyleDeclaration, typeof Symbol.iterator>>
/** Styles are set one by one: a policy of the page that forbids inline styles does not forbid that. */
function make<K extends keyof HTMLElementTagNameMap>(name: K, look: Look, ...children: (Node | string)[]) {
  const element = document.createElement(name)
  Object.assign(element.style, look)
  element.append(...children)
  return element
}

// ---- what is seen

const WHOLE: Look = { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' }
const BAR = '44px'
const BELOW: Look = { ...WHOLE, inset: `${BAR} 0 0`, height: `calc(100% - ${BAR})` }
const FONT = '16px/1.5 system-ui, sans-serif'

function makeWaiting() {
  const note = make('p', { margin: '0', font: FONT }, 'Loading the payment page…')
  note.setAttribute('role', 'status')
  const ring = make('div', {
    ...{ width: '32px', height: '32px', borderRadius: '50%' },
    ...{ border: '3px solid GrayText', borderTopColor: 'transparent' },
  })
  ring.ariaHidden = 'true'
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    ring.animate([{ rotate: '0deg' }, { rotate: '360deg' }], { duration: 1000, iterations: Infinity })
  const box = make(
    'div',
    {
      ...BELOW,
      ...{ display: 'flex', flexDirection: 'column', alignItems: 'center', justifyContent: 'center', gap: '16px' },
      ...{ padding: '24px', boxSizing: 'border-box', textAlign: 'center', background: 'Canvas' },
    },
    ring,
    note,
  )
  return { box, ring, note }
}

/** Above the frame, not over it: whatever the hosted page has in its corners can be reached. */
function makeBar() {
  const name = make('span', {
    ...{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', paddingLeft: '16px' },
    font: '600 14px/1.4 system-ui, sans-serif',
  })
  const look: Look = { flex: 'none', width: BAR, height: BAR, padding: '0', border: '0', background: 'none' }
  const cross = make(
    'button',
    { ...look, color: 'inherit', cursor: 'pointer', font: '18px/1 system-ui, sans-serif' },
    '✕',
  )
  cross.type = 'button'
  cross.ariaLabel = 'Close the payment'
  const bar = make(
    'div',
    { display: 'flex', alignItems: 'center', justifyContent: 'space-between', height: BAR },
    name,
    cross,
  )
  return { bar, name, cross }
}

/** The dialog with its loader, before there is a frame in it. */
function makeDialog() {
  const [waiting, { bar, name, cross }] = [makeWaiting(), makeBar()]
  const look: Look = { position: 'relative', overflow: 'hidden', background: 'Canvas', color: 'CanvasText' }
  const box = make('div', { ...look, colorScheme: 'light dark' }, bar, waiting.box)
  const dialog = make(
    'dialog',
    {
      ...WHOLE,
      ...{ position: 'fixed', maxWidth: 'none', maxHeight: 'none', margin: '0', padding: '0' },
      ...{ boxSizing: 'border-box', background: 'rgba(0,0,0,.6)', overscrollBehavior: 'contain' },
      ...{ alignItems: 'center', justifyContent: 'center' },
    },
    box,
  )
  dialog.ariaLabel = 'Payment'
  const fit = (): void => {
    const narrow = matchMedia('(max-width: 520px)').matches
    const size = narrow ? ['100%', '100%', '0'] : ['480px', 'min(760px, 96vh)', '16px']
    Object.assign(box.style, { width: size[0], height: size[1], borderRadius: size[2] })
  }
  fit()
  return { dialog, box, waiting, name, cross, fit }
}

// ---- one checkout, from the first press to the last word

class Checkout {
  readonly first: Options
  private readonly listeners: Listener[] = []
  private readonly seen = makeDialog()
  private readonly before = document.activeElement
  private readonly scroll = document.documentElement.style.overflow
  private readonly slow: number
  private frame: HTMLIFrameElement | null = null
  private opened: Opened | null = null
  private result: Completed | null = null
  private ready = false
  private asked = false
  private gone = false
  private over = false
  private questions = 0
  private timer = 0
  private loading = 0

  constructor(first: Options) {
    this.first = first
    const { dialog, cross } = this.seen
    // A refusal is told without anything having been seen.
    this.slow = setTimeout(this.show, SHOW_MS)
    cross.onclick = this.wish
    dialog.oncancel = (event) => {
      event.preventDefault()
      this.wish()
    }
    dialog.onkeydown = (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.wish()
    }
    // A browser closes a dialog at the second Escape, whatever its page says.
    dialog.onclose = () => this.leave()
    open(first).then(
      (opened) => {
        this.opened = opened
        if (!this.gone) this.place()
      },
      (error: Error & { code?: string }) => {
        const code = error.code ?? 'NETWORK_ERROR'
        log(`${code}: ${error.message}`)
        // The merchant's server has initialised it: the payer can pay without this script.
        if (!error.code && first.checkoutUrl?.startsWith(`${new URL(door).origin}/`) && !this.gone) {
          this.opened = { checkoutUrl: first.checkoutUrl, merchantName: '' }
          this.show()
          this.stuck()
          return
        }
        this.close({ ...closedBy(code, error.message, first), redirectUrl: null })
      },
    )
  }

  listen(options: Options): Promise<End> {
    return new Promise((done) => {
      this.listeners.push({ options, done, told: false })
      call(options.onLoadStart)
      if (this.ready) call(options.onLoadComplete)
    })
  }

  private readonly show = (): void => {
    const { dialog, fit } = this.seen
    if (dialog.open || this.gone || !dialog.showModal) return
    document.body.append(dialog)
    dialog.style.display = 'flex'
    dialog.showModal()
    document.documentElement.style.overflow = 'hidden'
    addEventListener('resize', fit)
  }

  private place(): void {
    const { merchantName = '', checkoutUrl = '' } = this.opened ?? {}
    const { dialog, box, name } = this.seen
    name.textContent = merchantName
    dialog.ariaLabel = `Payment to ${merchantName}`
    // A page without an origin cannot be named to the gateway, and is told nothing.
    if (location.origin === 'null') {
      this.goThere()
      return
    }
    // Old browsers have none.
    if (!dialog.showModal) {
      this.goAway()
      return
    }
    this.show()
    addEventListener('message', this.hear)
    document.addEventListener('securitypolicyviolation', this.blocked)
    document.addEventListener('visibilitychange', this.wake)
    this.frame = make('iframe', { ...BELOW, visibility: 'hidden' })
    this.frame.title = dialog.ariaLabel
    this.frame.allow = 'clipboard-write'
    this.frame.src = checkoutUrl
    box.append(this.frame)
    this.loading = setTimeout(this.stuck, LOAD_MS)
    this.timer = setTimeout(this.askNow, ASK_MS)
  }

  /** The hosted page in this tab: the way out of everything. */
  private readonly goThere = (query = ''): void => location.assign(`${this.opened?.checkoutUrl}${query}`)

  /** Not where it has ended meanwhile: a page that cannot show a frame is told when it asks again. */
  private readonly goAway = (): void => {
    void this.askSoon().then(() => {
      if (this.ended()) this.leave()
      else if (!this.gone) this.goThere()
    })
  }

  private readonly gateway = (): string => new URL(this.opened?.checkoutUrl ?? door).origin

  private readonly stuck = (): void => {
    const { ring, note, box } = this.seen.waiting
    ring.remove()
    note.textContent = 'The payment page does not load inside this page.'
    const way = make(
      'a',
      { font: FONT, fontWeight: '600', color: 'LinkText', padding: '10px' },
      'Open it on its own page',
    )
    way.href = this.opened?.checkoutUrl ?? ''
    box.append(way)
    box.style.zIndex = '1'
    way.focus()
  }

  /** The page's own policy forbids the frame. */
  private readonly blocked = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (this.ready || !/^(?:frame|child|default)-src/.test(effectiveDirective)) return
    if (!blockedURI.startsWith(this.gateway())) return
    log(`the policy of this page does not let ${this.gateway()} into a frame: add it to frame-src`)
    this.goAway()
  }

  // How it stands is asked for: messages get lost, and tabs sleep.
  private readonly ask = async (): Promise<void> => {
    clearTimeout(this.timer)
    if (this.over || !this.opened) return
    try {
      const answer = await fetch(`${this.opened.checkoutUrl}/page-result`, {
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(LOAD_MS),
      })
      if (answer.ok) this.result = await answer.json()
    } catch {
      // The next question may get an answer.
    }
    if (this.over) return
    if (this.gone) this.questions += 1
    this.over = !!this.result?.completed || this.questions > QUESTIONS_MAX
    this.tell()
    if (this.result?.paymentStatus === 'CANCELLED') this.leave()
    // Another question may have been asked meanwhile: one chain of them goes on.
    clearTimeout(this.timer)
    if (!this.over) this.timer = setTimeout(this.askNow, ASK_MS)
    else document.removeEventListener('visibilitychange', this.wake)
  }
  private readonly askNow = (): void => void this.ask()
  private readonly wake = (): void => {
    if (!document.hidden) this.askNow()
  }

  /** Cancelled is closed, not ended. */
  private readonly ended = (): Completed | null =>
    this.result?.completed && this.result.paymentStatus !== 'CANCELLED' ? this.result : null

  /** Each listener once, also when the frame is closed already. */
  private tell(): void {
    const result = this.ended()
    if (!result) return
    for (const listener of this.listeners) {
      if (listener.told) continue
      listener.told = true
      call(listener.options.onComplete ?? listener.options.callback, result)
    }
  }

  /** A payment that has begun is left when the payer says so twice. */
  private readonly wish = (): void => {
    if (!this.ready || this.result?.completed) {
      this.leave()
      return
    }
    if (this.asked) {
      this.part()
      return
    }
    this.asked = true
    this.frame?.contentWindow?.postMessage({ cowrie: 'leave' }, this.gateway())
  }

  private readonly hear = ({ source, origin, data }: MessageEvent): void => {
    if (!this.frame || source !== this.frame.contentWindow || origin !== this.gateway()) return
    const what: unknown = data?.cowrie
    if (what === 'ready') this.begin(data.asking === true)
    if (what === 'escape') this.wish()
    if (what === 'surely') this.surely()
    if (what === 'close') this.part()
    if (what === 'tab') this.goThere('?way=card')
  }

  /** There is nothing to cancel in this state, only to leave. */
  private surely(): void {
    this.asked = false
    if (confirm('Leave this payment? If you have sent the money, it still counts.')) this.part()
  }

  /** A page of the frame is there: the first, or another one of it. */
  private begin(asking: boolean): void {
    this.asked = asking
    void this.ask()
    if (this.ready || !this.frame) return
    this.ready = true
    clearTimeout(this.loading)
    this.seen.waiting.box.remove()
    this.frame.style.visibility = 'visible'
    this.frame.focus()
    for (const { options } of this.listeners) call(options.onLoadComplete)
  }

  /** What is told is asked for once more, and not for long. */
  private readonly askSoon = (): Promise<void> =>
    Promise.race([
      this.ask(),
      new Promise<void>((done) => {
        setTimeout(done, SOON_MS)
      }),
    ])
  private readonly part = (): void => void this.askSoon().then(this.leave)

  private readonly leave = (): void => {
    const ended = this.ended()
    this.close({
      authorizedAmount: this.result?.amount ?? (Number(this.first.amount) || 0),
      paymentStatus: ended?.paymentStatus ?? 'USER_CANCELLED',
      redirectUrl: this.result?.redirectUrl ?? null,
      responseCode: ended?.status ?? 'USER_CANCELLED',
      responseMessage: ended ? `Transaction ${ended.paymentStatus}` : 'User cancelled Transaction',
    })
  }

  private close(closed: Closed): void {
    if (this.gone) return
    this.gone = true
    const { dialog, fit } = this.seen
    clearTimeout(this.slow)
    clearTimeout(this.loading)
    removeEventListener('message', this.hear)
    removeEventListener('resize', fit)
    document.removeEventListener('securitypolicyviolation', this.blocked)
    if (dialog.open) {
      dialog.close()
      document.documentElement.style.overflow = this.scroll
    }
    dialog.remove()
    if (this.before instanceof HTMLElement) this.before.focus()
    running = null
    for (const { options, done } of this.listeners) {
      call(options.onClose, closed)
      done({ completed: this.ended(), closed })
    }
    const [there, here] = [closed.redirectUrl ?? '', location.href].map((one) => one.split(/[?#]/)[0])
    if (closed.redirectUrl && there !== here) location.assign(closed.redirectUrl)
  }
}

let running: Checkout | null = null

const nameOf = ({ reference, paymentReference, checkoutUrl, amount }: Options) =>
  checkoutUrl || reference || paymentReference || String(amount)

/** Pressed twice, it is one checkout, and each caller is told once. */
function checkout(options: Options): Promise<End> {
  if (typeof options !== 'object' || options === null) {
    log('options are missing')
    return Promise.resolve({ completed: null, closed: closedBy('OPTIONS_MISSING', 'options are missing', {}) })
  }
  if (running && nameOf(running.first) !== nameOf(options)) {
    const why = 'Another payment is open on this page'
    const closed = { ...closedBy('ALREADY_OPEN', why, options), redirectUrl: null }
    log(why)
    call(options.onClose, closed)
    return Promise.resolve({ completed: null, closed })
  }
  running ??= new Checkout(options)
  return running.listen(options)
}

Object.assign(window, {
  MonnifySDK: {
    initialize: (options: Options): void => {
      void checkout(options)
    },
  },
  Cowrie: { checkout, version: VERSION },
})

/** Put in when it is built; the second is src/screens/solving.js. */
declare const VERSION: string
declare const solvePuzzle: (puzzle: string, found: (number: number) => void) => void
