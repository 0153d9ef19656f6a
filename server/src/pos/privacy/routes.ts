import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { PathText } from '../../resource/values.ts'
import type { AddCommand } from '../../resource/write/commands.ts'
import { Erasure, eraseCustomer } from './erase.ts'

/** For staff alone: an integrator does not erase people. */
export function staffPrivacyRoutes(
  app: FastifyInstance,
  { command, followChange }: { command: AddCommand; followChange: () => Promise<void> },
): void {
  command(app, {
    method: 'POST',
    url: '/customers/:id/erase',
    act: { action: 'erase' },
    permission: 'customers:erase',
    events: ['customer.erased', 'receipt.updated'],
    params: Type.Object({ id: PathText() }),
    body: Erasure,
    message: 'Customer erased.',
    committed: followChange,
    run: (context, { params, body }) => eraseCustomer(context, params.id, body),
  })
}
