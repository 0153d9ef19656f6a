import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { EventsDeclared } from '../../src/http/call.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'

interface Route {
  readonly name: string
  readonly declared: EventsDeclared | undefined
}

/** E10, in every test that calls the service: a route that publishes what it does not declare fails. */
export function holdToDeclaredEvents(app: FastifyInstance, db: Database): void {
  const routes = new AsyncLocalStorage<Route>()
  app.addHook('preHandler', ({ routeOptions: { method, url, config } }, _reply, done) =>
    routes.run({ name: `${method} ${url}`, declared: config.events }, done),
  )
  const { transaction } = db
  const held: Database['transaction'] = (work, ...rest) => {
    const route = routes.getStore()
    return transaction((tx) => work(route ? heldTo(route, tx) : tx), ...rest)
  }
  Object.assign(db, { transaction: held })
}

const heldTo = ({ name, declared = 'none' }: Route, tx: Transaction): Transaction => ({
  ...tx,
  publish(event) {
    if (declared === 'none' || !declared.includes(event.type))
      throw new Error(`${name} publishes ${event.type}, which it does not declare (E10)`)
    tx.publish(event)
  },
})
