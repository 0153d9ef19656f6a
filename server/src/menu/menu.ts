import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Directory } from '../directory/directory.ts'
import type { AddCommand } from '../resource/write/commands.ts'
import type { Database } from '../storage/database.ts'
import { entryRoutes } from './entries/edit-entry.ts'
import { mediaRoute } from './pictures/media.ts'
import { uploadRoute } from './pictures/upload.ts'
import { problemsRoute } from './problems/routes.ts'
import { menuCache } from './snapshot/cache.ts'
import { menuRoute } from './snapshot/routes.ts'
import { spreadsheetRoutes } from './spreadsheet/routes.ts'

// The menu as guests pay it, and what its owner does with it. Everything of one process that its routes share is made here.

interface MenuDeps {
  readonly db: Database
  readonly directory: Directory
  readonly config: Pick<Config, 'COMPTOIR_IMAGES_MB'>
  readonly command: AddCommand
}

export interface Menus {
  /** Operations on the menu, for integrators and, in their own venue, for staff. */
  readonly routes: (scope: FastifyInstance) => void
  /** What staff does with it besides. */
  readonly staffRoutes: (scope: FastifyInstance) => void
  /** Pictures, for everybody. */
  readonly media: (app: FastifyInstance) => void
}

export function menus({ db, directory, config, command }: MenuDeps): Menus {
  const cache = menuCache(db)
  return {
    routes(scope) {
      menuRoute(scope, { db, cache })
      problemsRoute(scope, db)
    },
    staffRoutes(scope) {
      uploadRoute(scope, { command, limitMb: config.COMPTOIR_IMAGES_MB })
      entryRoutes(scope, { db, command })
      spreadsheetRoutes(scope, { db, command })
    },
    media: (app) => mediaRoute(app, { db, directory }),
  }
}
