import { Comptoir } from '@comptoir/sdk'

const { env } = process

/** The restaurant that the environment names, or the demo on this machine. */
export const comptoir = new Comptoir({
  baseUrl: env.COMPTOIR_URL ?? 'http://127.0.0.1:8080/v2',
  clientId: env.COMPTOIR_CLIENT_ID ?? 'demo-client',
  clientSecret: env.COMPTOIR_CLIENT_SECRET ?? 'demo-secret',
  brand: env.COMPTOIR_BRAND ?? 'demo',
  integratorId: env.COMPTOIR_INTEGRATOR_ID ?? 'demo-integrator',
})
