// #region fastify
import { NotVerified, webhooks } from '@cowrie/sdk'
import fastify from 'fastify'
import { take } from './fulfil.mjs'

const app = fastify({ bodyLimit: 5 * 1024 * 1024 })

// A scope of its own, so that the other routes go on getting parsed JSON.
app.register(async (hooks) => {
  hooks.removeAllContentTypeParsers()
  hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  hooks.post('/hook', async (request, reply) => {
    try {
      take(await webhooks.verify(request.body, request.headers, [process.env.COWRIE_SECRET_KEY]))
      return reply.code(200).send()
    } catch (error) {
      if (!(error instanceof NotVerified)) throw error // 500: the gateway tries again
      console.error(error.code, error.message)
      return reply.code(401).send()
    }
  })
})

await app.listen({ port: Number(process.env.PORT) })
// #endregion
