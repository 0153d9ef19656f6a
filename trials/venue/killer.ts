import type { Random } from '../../server/src/demo/random.ts'
import { redisServer } from '../harness/demo-installation.ts'
import { type Engine, type Installation, sqlOn } from '../harness/installation.ts'
import { type Env, type Server, serve } from '../harness/server.ts'
import type { Trial } from '../harness/trial.ts'

export interface Killer {
  server(): Server
  /** Kills something and says what. */
  kill(random: Random): Promise<string>
}

/** Starts what a venue runs on, and kills a part of it at random. What was killed is back, or about to be, when that resolves. */
export async function openKiller(
  trial: Trial,
  engine: Engine,
  installation: Installation,
  workers: number,
): Promise<Killer> {
  const redis = engine === 'PostgreSQL' ? await redisServer() : undefined
  if (redis) trial.after(redis.stop)
  const settings: Env = redis ? { REDIS_URL: redis.url, COMPTOIR_WORKERS: String(workers) } : {}
  let server: Server = await serve(trial, installation, settings)
  const again = async () => {
    server = await serve(trial, installation, settings)
  }
  const victims: Record<string, () => Promise<void>> = {
    async server() {
      await server.stop('SIGKILL')
      await again()
    },
    ...(redis && {
      async worker() {
        const ready = server.workers().length
        process.kill(server.workers().at(-1)!, 'SIGKILL')
        await server.ready(ready + 1).catch(again) // one that has lost five in a minute ends: the operator starts it again
      },
      async PostgreSQL() {
        const [backend] = await sqlOn<{ pid: number }>(
          installation.env.DATABASE_URL!,
          `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           order by random() limit 1`,
        )
        process.kill(backend!.pid, 'SIGKILL') // which takes the whole of it down: it drops its memory and replays its log
      },
      async Redis() {
        await redis.stop()
        await redis.startAgain()
      },
    }),
  }
  return {
    server: () => server,
    async kill(random: Random): Promise<string> {
      const name = random.pick(Object.keys(victims))
      await victims[name]!()
      return name
    },
  }
}
