import type { FastifyInstance } from 'fastify'
import type { Database } from '../storage/database.ts'
import { menuCache } from './snapshot/cache.ts'
import { menuRoute } from './snapshot/routes.ts'

// The menu as guests pay it, and what its owner does with it. Everything of one process that its routes share is made here.

interface MenuDeps {
  readonly db: Database
}

export interface Menus {
  /** Operations on the menu, for integrators and, in their own venue, for staff. */
  readonly routes: (scope: FastifyInstance) => void
}

export function menus({ db }: MenuDeps): Menus {
  const cache = menuCache(db)
  return {
    routes: (scope) => menuRoute(scope, { db, cache }),
  }
}
