// Fields that several forms of collecting share: the contract it is collected under, a bank, whether
// something is so.

import type { listBanks } from '@cowrie/contract/collections/ussd'
import type { listOwnContracts } from '@cowrie/contract/screens/collecting'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { call, view } from '../../api/call.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import layout from '../../parts/layout.module.css'
import { Failed } from '../../parts/notice.tsx'
import css from './collect.module.css'

/** Not shown where there is one: then it is that. */
export function ContractField(): ReactNode {
  const contracts = useQuery({
    queryKey: ['contracts'],
    queryFn: () => view<typeof listOwnContracts>('contracts.list'),
  })
  const [only, ...others] = contracts.data ?? []
  if (only === undefined) return <Failed error={contracts.error} />
  if (others.length === 0) return <input type="hidden" name="contractCode" value={only.contractCode} />
  return (
    <Select
      label="Contract"
      name="contractCode"
      options={[only, ...others].map(({ contractCode, name }) => [contractCode, `${name}, ${contractCode}`] as const)}
    />
  )
}

export function BankField({ value }: { readonly value?: string }): ReactNode {
  const banks = useQuery({ queryKey: ['banks'], queryFn: () => call<typeof listBanks>('banks.list'), staleTime: 3e6 })
  const options = (banks.data ?? []).map(({ code, name }) => [code, name] as const).toSorted(byName)
  return (
    <>
      <Select
        key={options.length}
        label="Bank"
        name="bankCode"
        required
        defaultValue={value ?? ''}
        options={[['', banks.isPending ? 'Loading the banks' : 'Choose a bank'], ...options]}
      />
      <Failed error={banks.error} />
    </>
  )
}
const byName = ([, a]: readonly [string, string], [, b]: readonly [string, string]): number => a.localeCompare(b)

export function CheckField({ name, label }: { readonly name: string; readonly label: string }) {
  const id = useId()
  return (
    <div className={layout['check']}>
      <input id={id} type="checkbox" name={name} value="yes" />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}

/** An address to hand out. */
export function Address({ url }: { readonly url: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <div className={css['address']}>
      <a href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
      <Button
        small
        icon={copied ? 'tick' : 'copy'}
        onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(true))}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
