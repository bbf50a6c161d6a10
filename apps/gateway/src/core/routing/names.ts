// What money that was received is called in our books: by the bank's own reference. Two banks may use the
// same one, so that of another connector than the first begins with the connector's number and a space. No
// reference has a space, so the name says which bank has the money.
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

export const moneyName = (connector: number, reference: string): string =>
  connector === FIRST_CONNECTOR_ID ? reference : `${connector} ${reference}`

const spaceIn = (name: string): number => name.indexOf(' ')
export const connectorOfMoney = (name: string): number =>
  spaceIn(name) < 0 ? FIRST_CONNECTOR_ID : Number(name.slice(0, spaceIn(name)))
/** As the bank and everybody outside know it. */
export const referenceOfMoney = (name: string): string => name.slice(spaceIn(name) + 1)

// The same in SQL: what is given are expressions.
export const moneyNameIn = (connector: string, reference: string): string =>
  `case ${connector} when ${FIRST_CONNECTOR_ID} then ${reference} else ${connector} || ' ' || ${reference} end`
export const connectorOfMoneyIn = (name: string): string =>
  `(case strpos(${name}, ' ') when 0 then ${FIRST_CONNECTOR_ID} else split_part(${name}, ' ', 1)::int end)::smallint`
export const referenceOfMoneyIn = (name: string): string => `substr(${name}, strpos(${name}, ' ') + 1)`
/** Every name that money with a reference may have: of the bank of any connector. */
export const moneyNamesIn = (reference: string): string =>
  `select ${moneyNameIn('id', `${reference}::text`)} from connectors`
