// Events of no move, as unmatched money has them, and the endpoints they go to.
import { expect } from 'vitest'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { announce } from '#core/events.ts'
import type { Harness, TestMerchant } from '../../kit/harness.ts'

/** Commits an event; it has no number yet. */
export async function tell(h: Harness, merchant: TestMerchant, type = 'SETTLEMENT'): Promise<bigint> {
  const { ctx } = h.gateway
  const [id, objectId] = (await cellById(ctx, merchant.cell).takeIds(2)) as [bigint, bigint]
  const body = JSON.stringify({ eventType: type, eventData: { id: String(id), '2': 'b', '1': 'a' } })
  await engineTx(ctx, merchant.cell, (t) =>
    announce(t, { id, merchantId: merchant.id, type, object: `object ${objectId}`, objectId, objectVersion: 1, body }),
  )
  return id
}

export const ENDPOINTS = '/api/v1/webhook-endpoints'
/** Adds an endpoint; answers with its id. */
export async function addEndpoint(
  h: Harness,
  merchant: TestMerchant,
  url: string,
  eventTypes: readonly string[] = ['*'],
): Promise<string> {
  const answer = await h.as(merchant, 'POST', ENDPOINTS, { url, eventTypes })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.endpointId
}

export const numberOf = (id: string): string => id.split('_')[2] ?? ''
