// #region express
import { NotVerified, webhooks } from '@cowrie/sdk'
import express from 'express'
import { take } from './fulfil.mjs'

const app = express()

// Raw bytes: this route comes before any express.json().
app.post('/hook', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
  try {
    take(await webhooks.verify(request.body, request.headers, [process.env.COWRIE_SECRET_KEY]))
    response.sendStatus(200)
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error // 500: the gateway tries again
    console.error(error.code, error.message)
    response.sendStatus(401)
  }
})

app.listen(Number(process.env.PORT))
// #endregion
