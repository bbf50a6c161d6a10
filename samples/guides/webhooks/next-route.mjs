// #region next
// app/hook/route.js
import { NotVerified, webhooks } from '@cowrie/sdk'
import { take } from './fulfil.mjs'

export async function POST(request) {
  try {
    const body = await request.arrayBuffer() // not json(): the signature is over these bytes
    take(await webhooks.verify(body, request.headers, [process.env.COWRIE_SECRET_KEY]))
    return new Response(null, { status: 200 })
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error // 500: the gateway tries again
    console.error(error.code, error.message)
    return new Response(null, { status: 401 })
  }
}
// #endregion
