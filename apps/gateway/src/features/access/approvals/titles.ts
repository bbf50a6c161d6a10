// What a line of the audit trail is called where people read it: the words of the contract for the act or the
// route. What only the gateway writes down has its words here.
import { ROUTES } from '@cowrie/contract'
import { PEOPLE_ROUTES } from '@cowrie/contract/access/people'
import { ACTS } from '@cowrie/contract/acts'
import { SCREEN_ROUTES } from '@cowrie/contract/screens/files'

/** By what it is about, then by what was done. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approvals: { ask: 'Ask for a second person', expire: 'Nobody approved in time' },
  keys: { open: 'Make the first API key' },
  destinations: { stop: 'Stop an account that was to receive money' },
  operators: {
    first: 'Become the first operator',
    inviteFirst: 'Invite the first operator',
    inviteAnother: 'Invite another administrator at the machine',
  },
  people: { changePassword: 'Change the password', confirmTotp: 'Set up an authenticator app' },
}
const ownOf = (what: string): string | undefined => {
  const [about = '', done = ''] = what.split('.')
  return OWN[about]?.[done]
}
const routes = [...ROUTES, ...SCREEN_ROUTES, ...Object.values(PEOPLE_ROUTES).flatMap((side) => Object.values(side))]
const TITLES = new Map([...ACTS, ...routes].map(({ id, summary }) => [id, summary]))

export const findTitle = (what: string): string => TITLES.get(what) ?? ownOf(what) ?? what
