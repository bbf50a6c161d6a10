// How a process begins, and how it ends: on SIGTERM or SIGINT, and when the process that started it is gone.

/** Settings of a program. */
export type Env = Readonly<Record<string, string | undefined>>

/** What forbids a start, in a sentence for the operator. */
export class CannotStart extends Error {}

/** Runs a start. What forbids it is said without a stack, and the process ends. */
export async function begin<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    process.stderr.write(`Cannot start: ${error.message}\n`)
    return process.exit(1)
  }
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
}
/** Opens a port. One that cannot be opened is named with the setting it comes from. */
export async function listenAt(
  server: { listen(at: { host: string; port: number }): Promise<unknown> },
  setting: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const why = WHY[(error as { code?: string }).code ?? '']
    throw why === undefined ? error : new CannotStart(`${setting}: ${host}:${port} ${why}`, { cause: error })
  }
}

export type Ending = {
  /** Runs with the signal itself. */
  readonly atOnce: () => void
  /** How long everything goes on after that, so that balancers notice; a second signal ends the wait. */
  readonly drainMs: number
  readonly stop: () => Promise<void>
  /** What `stop` may take. Then the process ends anyway, as a failure. */
  readonly limitMs: number
}

export function stopWith({ atOnce, drainMs, stop, limitMs }: Ending): void {
  let hurry: (() => void) | null = null
  const end = async (): Promise<void> => {
    atOnce()
    await new Promise<void>((done) => {
      hurry = done
      setTimeout(done, drainMs)
    })
    setTimeout(() => process.exit(1), limitMs).unref()
    await stop()
  }
  const signalled = () => {
    if (hurry !== null) return hurry()
    hurry = () => undefined
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', signalled)
  process.on('SIGINT', signalled)
  if (process.channel) {
    process.on('disconnect', signalled)
    process.send?.('ready')
  }
}
