// How a bank misbehaves when a customer pays: the named scenarios, and when each notifies the gateway.

const call = (name: string): string =>
  `POST /api/transfers {"bankCode", "accountNumber", "amount", "scenario": "${name}"}`

export const SCENARIOS = [
  { name: 'exact', says: 'One notice, sent at once. The default.', call: call('exact'), available: true },
  { name: 'twice', says: 'The bank sends the same notice twice.', call: call('twice'), available: true },
  {
    name: 'late',
    says: 'The money and its notice arrive one minute after the account expires, by the sandbox clock.',
    call: call('late'),
    available: true,
  },
  {
    name: 'delayed',
    says: 'The notice is sent ten minutes after the transfer, by the sandbox clock.',
    call: call('delayed'),
    available: true,
  },
  {
    name: 'lost',
    says: 'No notice is ever sent; the end-of-day statement shows the money.',
    call: call('lost'),
    available: true,
  },
  {
    name: 'reversed',
    says: 'Credited, then reversed an hour later by the sandbox clock, with a notice.',
    call: call('reversed'),
    available: true,
  },
] as const

export type Scenario = Extract<(typeof SCENARIOS)[number], { available: true }>['name']

export function scenarioOf(name: string): Scenario | null {
  for (const scenario of SCENARIOS) if (scenario.available && scenario.name === name) return scenario.name
  return null
}

/** How many notices are sent, and when; when the money arrives; and when it is reversed, if it is. */
export type Plan = {
  readonly copies: number
  readonly dueAt: Date
  readonly paidAt: Date
  readonly reversedAt?: Date
}

export function planOf(scenario: Scenario, now: Date, expiresAt: Date | null): Plan {
  const later = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * 60_000)
  switch (scenario) {
    case 'exact':
      return { copies: 1, dueAt: now, paidAt: now }
    case 'twice':
      return { copies: 2, dueAt: now, paidAt: now }
    case 'lost':
      return { copies: 0, dueAt: now, paidAt: now }
    case 'reversed':
      return { copies: 1, dueAt: now, paidAt: now, reversedAt: later(now, 60) }
    case 'delayed':
      return { copies: 1, dueAt: later(now, 10), paidAt: now }
    case 'late': {
      // The payment itself is late, not only its notice: it is booked on arrival. An account without an end,
      // or one that is closed already, cannot be waited for.
      const arrival = expiresAt === null ? now : later(expiresAt, 1)
      const dueAt = arrival > now ? arrival : now
      return { copies: 1, dueAt, paidAt: dueAt }
    }
  }
}
