// Every programme in trials: what measures the gateway, and what proves something of it while it is killed,
// restarted or attacked. `npm run bench -- NAME` and `npm run trial -- NAME` start them (trials/start.ts),
// the stages of the whole check their short forms.

export type Programme = {
  readonly name: string
  readonly file: string
  readonly proves: string
  /** The size it has without options. */
  readonly size: string
  /** What it is always given. */
  readonly always?: readonly string[]
  /** Its options after `--short`: enough to see that it works, too little for a figure. */
  readonly short: readonly string[]
  /** What the short form took on two cores, where it was measured: a stage of the check says it. */
  readonly seconds?: number
  /** Debian's packages that it needs. */
  readonly needs?: string
}

export type Kind = 'bench' | 'trial'

const options = (text: string): readonly string[] => text.split(' ')

/** `npm run bench` without a name. */
export const COMPARISON = 'payments'

const BENCHES: readonly Programme[] = [
  {
    name: COMPARISON,
    file: 'trials/bench/payments/run.ts',
    proves:
      'payments a second through HTTP, without and with the worker, each against bare pgbench in the same round; processor time, WAL and disk per payment; plans that became dearer',
    size: '5 rounds with 64 and with 192 connections',
    short: options('--merchants 50 --rounds 1 --seconds 3 --connections 16 --worker without'),
  },
  {
    name: 'hot',
    file: 'trials/bench/hot/run.ts',
    proves: 'payments to one busy merchant against the same spread over a thousand: at least 0.8 of their rate',
    size: '10,000 credits in each of 5 rounds',
    short: options('--credits 500 --rounds 1 --merchants 50'),
  },
  {
    name: 'batch',
    file: 'trials/bench/batch/run.ts',
    proves: 'one batch of payouts at a bank that takes 50 ms for each: accepted within 2 s, finished within 60 s',
    size: '5,000 payouts',
    short: options('--rows 200'),
  },
  {
    name: 'search',
    file: 'trials/bench/search/run.ts',
    proves: 'searches of a large merchant against those of a small one; totals and pages are compared with SQL',
    size: '5 million transactions',
    short: options('--rows 20000 --requests 5'),
  },
  {
    name: 'transfers',
    file: 'trials/bench/transfers/run.ts',
    proves: 'lists and searches of one merchant with half of all payouts; totals and pages are compared with SQL',
    size: '2 million payouts, and as many transactions',
    short: options('--rows 20000 --merchants 20 --requests 5'),
  },
  {
    name: 'screens',
    file: 'trials/bench/screens/run.ts',
    proves: 'the lists of the dashboard, at most 100 ms at p95; an export while payments come, within 30 s',
    size: 'a merchant with a million payments',
    short: options('--payments 20000 --requests 5 --rate 20'),
  },
  {
    name: 'webhooks',
    file: 'trials/bench/webhooks/run.ts',
    proves: 'deliveries a second to one receiver and to a hundred, against bare undici posting the same bytes',
    size: '20,000 events in each of 3 rounds',
    short: options('--events 500 --rounds 1 --receivers 10'),
  },
  {
    name: 'payouts',
    file: 'trials/bench/payouts/run.ts',
    proves: "racing payouts on four wallets: as many succeed as the balances allow, and the bank's books agree",
    size: '50,000 payouts from 64 connections',
    short: options('--attempts 3000'),
    seconds: 25,
  },
  {
    name: 'connectors',
    file: 'trials/bench/connectors/run.ts',
    proves:
      "the gateway's processor time for a payout through an adapter, at most 1.1 times that of one straight to the simulator; then payouts at a fixed rate",
    size: '300 payouts in each of 5 rounds, then 200 a second',
    short: options('--payouts 40 --rounds 1 --rate 20 --seconds 2'),
  },
  {
    name: 'connectors-payments',
    file: 'trials/bench/connectors/payments.ts',
    proves: 'the same for payments by transfer, with account numbers and credits of a bank behind an adapter',
    size: '300 payments in each of 5 rounds, then 200 a second',
    short: options('--payments 40 --rounds 1 --rate 20 --seconds 2'),
  },
  {
    name: 'reserved',
    file: 'trials/bench/reserved/run.ts',
    proves: 'reserved accounts with a number at every bank; then lookups of numbers, at most 5 ms at p99',
    size: '100,000 accounts of one merchant, 5,000 lookups',
    short: options('--accounts 500 --connections 16 --lookups 200'),
  },
  {
    name: 'settlements',
    file: 'trials/bench/settlements/run.ts',
    proves: 'a settlement run: everybody is settled within 30 s, and the sums are those of what was loaded',
    size: '100,000 transactions of 1,000 merchants',
    short: options('--transactions 2000 --merchants 50'),
  },
  {
    name: 'growth',
    file: 'trials/bench/growth/run.ts',
    proves:
      'what a payment costs on tables with months of payments, as a multiple of the same on empty ones; the lists; a month that is detached and attached meanwhile',
    size: '4 months of a million payments',
    short: options('--merchants 50 --payments 5000 --months 2 --rounds 1 --seconds 2'),
  },
]

const TRIALS: readonly Programme[] = [
  {
    name: 'payments',
    file: 'trials/chaos/payments/run.ts',
    proves:
      'api and worker are killed under load; every payment that was acknowledged is in the books once, every event is delivered. `--cells 2` uses two cells',
    size: '100 kills in 145 s of 100 payments a second',
    short: options('--kills 7 --seconds 45 --rate 30 --cells 2'),
    seconds: 65,
  },
  {
    name: 'payouts',
    file: 'trials/chaos/payouts/run.ts',
    proves:
      'payouts at a bank that loses, delays, duplicates and reverses, while the worker is killed: no reference is paid twice, no money stays held. Fails when the machine is too slow for all kills',
    size: '1,000 payouts and 100 kills in 90 s',
    short: options('--payouts 150 --kills 8 --seconds 15'),
    seconds: 35,
  },
  {
    name: 'settlements',
    file: 'trials/chaos/settlements/run.ts',
    proves: 'settlement runs are killed again and again, sometimes two at once: everybody is paid exactly once',
    size: '20 kills over 1,000 payments of 200 merchants',
    short: options('--kills 5 --payments 200 --merchants 100'),
    seconds: 35,
  },
  {
    name: 'webhooks',
    file: 'trials/chaos/webhooks/run.ts',
    proves: 'hostile receivers do not disturb the honest ones; no event is lost, misdirected or out of order',
    size: '20,000 events in 100 s, 20 of 50 receivers hostile',
    short: options('--merchants 20 --hostile 8 --events 2000 --seconds 12'),
    seconds: 30,
    needs: 'openssl',
  },
  {
    name: 'webhooks-kill',
    file: 'trials/chaos/webhooks/run.ts',
    proves: 'the same while the worker is killed',
    size: 'the same with 50 kills',
    always: options('--kills 50'),
    short: options('--merchants 20 --hostile 8 --events 2000 --seconds 12 --kills 5'),
    seconds: 35,
    needs: 'openssl',
  },
  {
    name: 'nemesis',
    file: 'trials/chaos/nemesis/run.ts',
    proves:
      "api, worker, bank and database are killed and stopped while payments, payouts and refunds run; then our books equal the bank's",
    size: '60 s',
    short: options('--seconds 20'),
    seconds: 40,
  },
  {
    name: 'fuzz',
    file: 'trials/chaos/fuzz/run.ts',
    proves:
      'random requests to every route (valid, mutated, raw bytes): every answer is well-formed, comes within two seconds, and is never an internal error. `--requests 200000` before a release',
    size: '10,000 requests',
    short: options('--requests 4000'),
    seconds: 35,
  },
  {
    name: 'day',
    file: 'trials/chaos/day/run.ts',
    proves:
      'payouts, collections and cards through the simulator and three adapters with fakes of their banks, each of which fails for an hour: payouts go on through another bank, nothing is paid or charged twice, and no difference from a bank statement is left',
    size: 'a day of 10,000 operations',
    short: options('--operations 300'),
    seconds: 30,
  },
  {
    name: 'histories',
    file: 'trials/chaos/histories/run.ts',
    proves:
      'thousands of random histories of merchants, payers, two faulty banks and people who decide, each compared with a small model: we never lose more than two people approved. `--plant NAME` is a fault that it must find; `--plants 1` tries all of them',
    size: '2,000 histories of 60 steps',
    short: options('--histories 40 --together 20 --seed 37'),
    seconds: 60,
  },
  {
    name: 'attacks',
    file: 'trials/chaos/attacks/run.ts',
    proves:
      'what an insider, a thief of a key or a stranger would try, over HTTP: each attack says what is tried, what must happen and what happened. `--plant NAME` switches one protection off, which the attack on it must find; `--plants 1` tries all of them. In the end a stranger attacks beside an honest merchant, whose success and p99 are told',
    size: 'every attack of the security review that has its protection',
    short: options('--long 0 --beside 20'),
    seconds: 110,
  },
  {
    name: 'page',
    file: 'trials/chaos/page/run.ts',
    proves:
      "the checkout on a shop's own page in Chromium: storage, popups, scripts and frames refused, two presses, the page reloaded and the frame killed at each moment; no end is lost, told twice or told wrong",
    size: '132 combinations',
    short: options('--every 13'),
    seconds: 60,
    needs: 'chromium-headless-shell',
  },
  {
    name: 'mutants',
    file: 'trials/mutants/run.ts',
    proves:
      'mutation testing: faults put into a copy of the code one by one are noticed by its tests, at least 85 % of generated ones, and with `--old 1` every one that was made by hand',
    size: '100 of the ledger, settlements, reconciliation, receivables and fees',
    short: options('--count 2'),
  },
  {
    name: 'rails',
    file: 'trials/chaos/rails/run.ts',
    proves:
      "the adapters of `connectors/` are killed while they forward orders to a fake bank that is slow, silent and wrong: no order twice, none lost, and every answer agrees with the bank's books",
    size: '100 kills',
    short: options('--kills 6'),
    seconds: 35,
  },
  {
    name: 'rolling',
    file: 'trials/chaos/rolling/run.ts',
    proves: 'two apis behind HAProxy and two workers are restarted one after the other under load: no call fails',
    size: '10 restarts of each under 100 payments a second',
    short: options('--restarts 1 --rate 20 --drain 3 --behind 60'),
    seconds: 45,
    needs: 'haproxy',
  },
  {
    name: 'upgrade',
    file: 'trials/chaos/rolling/upgrade.ts',
    proves:
      'an older version is upgraded to this one under load, and back, and forward again: no call fails. `--from <tag or commit>`, otherwise the last release',
    size: '50 payments a second',
    short: options('--rate 10 --drain 2 --behind 60'),
    seconds: 47,
    needs: 'haproxy',
  },
  {
    name: 'cells',
    file: 'trials/chaos/rolling/cells.ts',
    proves:
      'a database (cell) is added under load, opened, and drained: no call fails, and new merchants land where they should',
    size: '20 payments a second',
    short: options('--rate 10 --drain 2'),
    seconds: 32,
    needs: 'haproxy',
  },
  {
    name: 'keys',
    file: 'trials/chaos/keys/run.ts',
    proves:
      'master key and bank key are rotated under load while the re-encryption is killed: nobody is refused, nothing is lost',
    size: '20,000 rows and 10 kills',
    short: options('--rows 2000 --clients 4 --kills 1'),
    seconds: 35,
  },
  {
    name: 'restore',
    file: 'trials/chaos/restore/run.ts',
    proves:
      "a cell is lost and brought back to a moment by pgBackRest: its books are in order, and the bank's statement shows what was paid after it",
    size: '40 payments and 10 payouts',
    short: options('--payments 10 --payouts 4'),
    seconds: 40,
    needs: 'pgbackrest',
  },
  {
    name: 'failover',
    file: 'trials/chaos/failover/run.ts',
    proves:
      'three database nodes under pg_auto_failover, the primary of which is killed, frozen, cut off and up again alone under load: nothing acknowledged is lost, and every repeat is answered as the first time. `--plant asynchronous --failovers 1` and `--plant alone --failovers 3` are controls, which must lose some. As root',
    size: '20 failovers under 100 payments a second',
    short: options('--failovers 2 --rate 30 --refused 20'),
    seconds: 80,
    needs: 'postgresql-15-auto-failover pg-auto-failover-cli iproute2',
  },
  {
    name: 'soak',
    file: 'trials/chaos/soak/run.ts',
    proves:
      'everything at once: mixed load on two apis and two workers, kills, restarts, a crash of the database, moves of the clock; memory is flat, lags return to normal, books are clean (docs/operate/soak.md)',
    size: 'an hour',
    short: options('--minutes 1 --rate 2 --gap 6 --failovers 0 --seed 34'),
    seconds: 88,
    needs: 'haproxy',
  },
]

export const PROGRAMMES: Readonly<Record<Kind, readonly Programme[]>> = { bench: BENCHES, trial: TRIALS }
export const findProgramme = (kind: Kind, name: string): Programme | undefined =>
  PROGRAMMES[kind].find((one) => one.name === name)
