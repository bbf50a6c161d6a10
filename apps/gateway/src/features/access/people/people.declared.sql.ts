// What others are told of people.
import type { Declarations } from '#core/declarations.ts'
import { kept, TEAM } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    people: { columns: kept(TEAM, 'email', 'name', 'password_digest', 'totp_sealed', 'totp_next_sealed') },
    memberships: { columns: kept(TEAM, 'created_by') },
    sessions: { columns: kept(TEAM, 'device', 'address', 'digest') },
    invitations: { columns: kept(TEAM, 'email', 'name', 'invited_by', 'digest') },
    recovery_codes: { columns: kept(TEAM, 'digest') },
    former_passwords: { columns: kept(TEAM, 'digest') },
    devices: { columns: kept(TEAM, 'name', 'digest') },
    people_mails: { columns: kept(TEAM, 'recipient', 'subject', 'text_sealed') },
    passkeys: { columns: kept(TEAM, 'credential_id', 'public_key', 'name') },
    oidc_links: { columns: kept(TEAM, 'subject') },
  },
  notPersonal: {
    memberships: 'merchant_cell role',
    sessions: 'side',
    invitations: 'merchant_cell role',
    passkeys: 'transports',
    challenges: 'digest purpose',
    oidc_links: 'issuer',
  },
} satisfies Declarations
