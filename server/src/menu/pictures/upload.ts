import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { imageSpace, validationFailed } from '../../http/errors.ts'
import type { AddCommand, CommandContext } from '../../resource/write/commands.ts'
import { add } from '../../resource/write/counters.ts'
import { ImageProblem } from '../../resources/entries/image-format.ts'
import { storeImage } from '../../resources/entries/images.ts'

// M13: a picture is one raw file, small enough to be stored as it is.

/** More than a picture may have, so that one a little too large is told what is wrong with it. */
const MAX_UPLOAD_BYTES = 2 * 1024 * 1024

/** POST /images, for staff. `limitMb` is what a brand's pictures may have together. */
export function uploadRoute(
  app: FastifyInstance,
  { command, limitMb }: { command: AddCommand; limitMb: number },
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    command(scope, {
      method: 'POST',
      url: '/images',
      permission: 'menu:write',
      events: 'none', // the entry that names it publishes
      bodyLimit: MAX_UPLOAD_BYTES,
      body: Type.Unknown(),
      message: 'Stored.',
      async run(context, { body }) {
        await add(context.tx, context.brand_id, { images: 0 }) // one upload of a brand at a time: each counts those before it
        try {
          const image = await storeImage(context, body instanceof Buffer ? body : Buffer.alloc(0))
          await refuseFull(context, limitMb)
          return JSON.stringify(image)
        } catch (error) {
          if (!(error instanceof ImageProblem)) throw error
          throw validationFailed([{ field: 'body', rule: 'image', message: `The picture ${error.message}.` }])
        }
      },
    })
  })
}

async function refuseFull({ tx, brand_id }: CommandContext, limit_mb: number): Promise<void> {
  const [row] = await tx.rows<{ bytes: number }>(
    'select cast(coalesce(sum(size), 0) as bigint) as bytes from images where brand_id = ?',
    [brand_id],
  )
  if (row!.bytes > limit_mb * 1024 * 1024) throw imageSpace(limit_mb)
}
