// Paths of the mark, of icons and of the signs of states, as plain data: pages that are made on the server
// write them as text, the dashboard as components.

/** A cowrie shell whose opening is crossed by the two bars of the naira, on a grid of 32. */
export const MARK = {
  shell: 'M16.2 1c7.7 0 12.4 6.3 12.4 14 0 9-5.5 16-12.6 16S3.4 24.1 3.4 15.3C3.4 7.5 8.5 1 16.2 1Z',
  opening:
    'M19.9 3.6C15.9 7.2 14.3 11.4 14.9 16c.6 4.5.2 8.3-3 12.2C16.6 25.3 18.7 21 18.1 16c-.6-4.6-.4-8.6 1.8-12.4Z',
  bars: 'M10 13.5h12M10.2 18.5h12',
} as const

/** On a grid of 16, in lines. */
export const ICONS = {
  bank: 'M2 6.5 8 2.5l6 4ZM3.5 6.5v5M6.5 6.5v5M9.5 6.5v5M12.5 6.5v5M2 13.5h12',
  card: 'M2.5 3.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM1.5 6.5h13M4 10h2.5',
  phone: 'M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM7 12.5h2',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5',
  lock: 'M4 7.5h8a.5.5 0 0 1 .5.5v5a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V8a.5.5 0 0 1 .5-.5ZM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  down: 'm4 6 4 4 4-4',
  care: 'M8 2 1.5 13.5h13ZM8 6.5v3M8 11.5h.01',
  code: 'm5 4.5-3.5 3.5L5 11.5M11 4.5l3.5 3.5L11 11.5M9 3 7 13',
  paper: 'M3.5 2.5h9v11l-2-1.5-2.5 1.5L5.5 12l-2 1.5ZM6 6h4M6 8.5h4',
  mail: 'M2.5 3.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM2 4.5l6 4.5 6-4.5',
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5h-3v-4h-4v4H3a.5.5 0 0 1-.5-.5Z',
  tick: 'm3 8.5 3.5 3.5L13 4.5',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.5.5 2.5 1.8 2.5 3.7',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14c0-2.8 2.4-4.5 5.5-4.5s5.5 1.7 5.5 4.5',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  key: 'M9.5 9.5a3.5 3.5 0 1 0-3-1.5L2 12.5V14h2.5v-1.5H6V11l1.5-1.5a3.4 3.4 0 0 0 2 0ZM10.5 5.5h.01',
  shield: 'M8 1.5 13.5 3.5v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4ZM5.5 8l2 2 3-3.5',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  close: 'm4 4 8 8M12 4l-8 8',
  out: 'M9.5 2.5h-6a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  device: 'M2.5 3.5h11v7h-11ZM5.5 13.5h5M8 10.5v3',
  trail: 'M4 3.5h.01M4 8h.01M4 12.5h.01M7 3.5h6M7 8h6M7 12.5h6M4 3.5v9',
  tray: 'M2 9.5 4 3h8l2 6.5v3.5H2ZM2 9.5h3.5L6.5 11h3l1-1.5H14',
  link: 'M6.5 9.5 9.5 6.5M7 4.5 8.5 3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  number: 'M6 2.5 5 13.5M11 2.5l-1 11M2.5 6h11M2.5 10.5h11',
  calendar:
    'M3 3.5h10a.5.5 0 0 1 .5.5v9a.5.5 0 0 1-.5.5H3a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5ZM2.5 6.5h11M5.5 2v3M10.5 2v3',
  split: 'M8 14V9L3.5 4.5V2M8 9l4.5-4.5V2M2 3.5 3.5 2 5 3.5M11 3.5 12.5 2 14 3.5',
  download: 'M8 2.5v7.5M5 7.5l3 3 3-3M2.5 13.5h11',
  incoming: 'M12.5 3.5l-8 8M4.5 5.5v6h6',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8Z',
  scales: 'M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5l-1.500 4.500h3ZM13 4.5l-1.500 4.500h3Z',
  again: 'M13 6.5A5.3 5.3 0 0 0 3.3 5M3 9.5A5.3 5.3 0 0 0 12.7 11M13 2.5v4H9M3 13.5v-4h4',
  refund: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5l3-3M3 6.5l3 3',
  payout: 'M3.5 12.5l8-8M5.5 4.5h6v6',
  wallet: 'M2.5 4.5h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1h8M10.5 9h.5',
  onward: 'm6 4 4 4-4 4',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3v3.5M8 5.2v.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5l3 3',
} as const
export type Icon = keyof typeof ICONS

/** A disc with a tick, a triangle that warns, an octagon with a cross, a ring with a hand, a diamond that
 *  asks. */
export const SIGNS = {
  good: ['M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Z', 'm7 12.5 3.5 3.5L17 8.5'],
  care: ['M12 2 .8 21.5h22.4Z', 'M12 9v6M12 18.3v.01'],
  bad: ['M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9Z', 'm8 8 8 8M16 8l-8 8'],
  wait: ['M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Z', 'M12 6.5V12l4 2.5'],
  unknown: ['M12 .5 23.5 12 12 23.5.5 12Z', 'M9.3 9.6a2.7 2.7 0 1 1 4 2.4c-.9.5-1.3 1-1.3 1.9M12 17.2v.01'],
} as const
export type Tone = keyof typeof SIGNS
