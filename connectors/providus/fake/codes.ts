// The codes that the bank publishes or passes on from the network, with what each means for the money.
// Written down apart from the adapter's table, so that a mistake there cannot agree with itself.
export const PUBLISHED: readonly { readonly code: string; readonly outcome: 'SUCCESS' | 'FAILED' | 'PENDING' }[] = [
  { code: '00', outcome: 'SUCCESS' },
  ...['05', '06', '07', '08', '12', '13', '16', '30', '34', '51', '57', '58', '61', '65', '69'].map((code) => ({
    code,
    outcome: 'FAILED' as const,
  })),
  ...['01', '03', '09', '11', '25', '26', '68', '91', '92', '94', '96', '97', '7709'].map((code) => ({
    code,
    outcome: 'PENDING' as const,
  })),
]
export const outcomeOf = (code: string) => PUBLISHED.find((one) => one.code === code)?.outcome
