// The named ways in which a bank misbehaves, and when each makes the gateway hear of the money.

const call = (name: string): string =>
  `POST /api/transfers {"bankCode", "accountNumber", "amount", "scenario": "${name}"}`

export const SCENARIOS = [
  { name: 'exact', says: 'The notice comes at once, once. The default.', call: call('exact'), available: true },
  { name: 'twice', says: 'The bank sends the same notice twice.', call: call('twice'), available: true },
  {
    name: 'late',
    says: 'The money and its notice arrive one minute after the account has expired, by the sandbox clock.',
    call: call('late'),
    available: true,
  },
  {
    name: 'delayed',
    says: 'The notice comes ten minutes after the transfer, by the sandbox clock.',
    call: call('delayed'),
    available: true,
  },
  {
    name: 'lost',
    says: 'No notice ever comes; the end-of-day statement shows the money. Not available yet.',
    call: call('lost'),
    available: false,
  },
  {
    name: 'reversed',
    says: 'Credited, then taken back an hour later. Not available yet.',
    call: call('reversed'),
    available: false,
  },
] as const

export type Scenario = Extract<(typeof SCENARIOS)[number], { available: true }>['name']

export function scenarioOf(name: string): Scenario | null {
  for (const scenario of SCENARIOS) if (scenario.available && scenario.name === name) return scenario.name
  return null
}

export type Plan = { readonly copies: number; readonly dueAt: Date; readonly paidAt: Date }

export function planOf(scenario: Scenario, now: Date, expiresAt: Date | null): Plan {
  const later = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * 60_000)
  switch (scenario) {
    case 'exact':
      return { copies: 1, dueAt: now, paidAt: now }
    case 'twice':
      return { copies: 2, dueAt: now, paidAt: now }
    case 'delayed':
      return { copies: 1, dueAt: later(now, 10), paidAt: now }
    case 'late': {
      // The payment itself is late, not only the word of it: it is booked on arrival. An account without an end, or
      // one that is closed already, cannot be waited for.
      const arrival = expiresAt === null ? now : later(expiresAt, 1)
      const dueAt = arrival > now ? arrival : now
      return { copies: 1, dueAt, paidAt: dueAt }
    }
  }
}
