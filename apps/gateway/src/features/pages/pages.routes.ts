// What people see: the hosted checkout, the reference, the landing page that stands where the dashboard will be.
import { type CheckoutView, checkoutPage, landingPage, notFoundPage } from '@cowrie/checkout'
import { bankOf } from '@cowrie/contract/banks'
import { nairaText } from '@cowrie/contract/money'
import { openapi } from '@cowrie/contract/openapi'
import { referencePage } from '@cowrie/contract/reference'
import type { Desk } from '../../core/bind.ts'
import { type FastifyReply, sendJson, sendText } from '../../kit/http.ts'
import { hourText, slashedText } from '../../kit/times.ts'
import { accountName, createDraw, findCheckout, returnAddress } from '../transactions/transactions.ts'

type Page = { readonly html: string; readonly csp: string }

const send = (reply: FastifyReply, status: number, { html, csp }: Page): FastifyReply => {
  reply.more.push('content-security-policy', csp, 'referrer-policy', 'no-referrer')
  reply.more.push('cross-origin-opener-policy', 'same-origin')
  return sendText(reply, status, 'text/html; charset=utf-8', html)
}

export function pageRoutes(desk: Desk, simulatorUrl: string | null): void {
  const { ctx, app } = desk
  const sandbox = ctx.environment === 'sandbox'
  const apiUrl = ctx.publicUrl
  const reference = referencePage({ apiUrl, sandbox, ...(simulatorUrl ? { simulatorUrl } : {}) })
  const document = JSON.stringify(openapi({ apiUrl, sandbox }))
  const landing = landingPage({
    docsUrl: `${apiUrl}/docs`,
    openapiUrl: `${apiUrl}/openapi.json`,
    simulatorUrl,
    sandbox,
  })
  app.get('/docs', (_request, reply) => send(reply, 200, reference))
  app.get('/openapi.json', (_request, reply) => sendJson(reply, 200, document))
  app.get('/dashboard', (_request, reply) => send(reply, 200, landing))
  app.get('/checkout', (_request, reply) => send(reply, 404, notFoundPage()))
  checkoutRoutes(desk, simulatorUrl)
}

function checkoutRoutes(desk: Desk, simulatorUrl: string | null): void {
  const { ctx, app } = desk
  const draw = createDraw(ctx)
  const find = async (params: unknown) => {
    const { reference, token } = params as { reference: string; token: string }
    const found = await findCheckout(ctx, desk.merchants, reference, token)
    return found ? { ...found, address: `/checkout/${encodeURIComponent(reference)}/${token}` } : null
  }
  app.get('/checkout/:reference/:token', async (request, reply) => {
    const found = await find(request.params)
    if (!found) return send(reply, 404, notFoundPage())
    const { row, merchant, address } = found
    const query = new URLSearchParams({
      bankCode: row.bank_code ?? '',
      accountNumber: row.account_number ?? '',
      amount: nairaText(row.kobo),
    })
    const view: CheckoutView = {
      merchantName: merchant.name,
      amountText: nairaText(row.kobo),
      currency: 'NGN',
      description: row.description,
      paymentReference: row.payment_reference,
      transactionReference: row.reference,
      state: row.status as CheckoutView['state'],
      amountPaidText: nairaText(row.paid_kobo),
      account:
        row.account_number && row.bank_code
          ? {
              bankName: bankOf(row.bank_code)?.name ?? row.bank_code,
              accountNumber: row.account_number,
              accountName: accountName(merchant.name, row.description),
            }
          : null,
      validUntil: hourText(row.expires_at),
      paidOn: row.paid_kobo > 0n && row.closed_at ? slashedText(row.closed_at) : null,
      redirectUrl: row.redirect_url ? returnAddress(row.redirect_url, row) : null,
      sandbox: ctx.environment === 'sandbox',
      simulatorUrl: simulatorUrl && row.account_number ? `${simulatorUrl}/?${query.toString()}` : null,
      drawAction: `${address}/account`,
    }
    return send(reply, 200, checkoutPage(view))
  })
  app.post('/checkout/:reference/:token/account', async (request, reply) => {
    const found = await find(request.params)
    if (!found) return send(reply, 404, notFoundPage())
    const { merchant, row, address } = found
    if (row.status === 'PENDING') {
      await draw
        .batched({ merchant, body: { transactionReference: row.reference }, query: undefined, params: {} })
        .catch(() => undefined)
    }
    return reply.code(303).header('location', address).send()
  })
}
