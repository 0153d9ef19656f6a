import { Redis } from 'ioredis'
import type { NewsChannel } from './news.ts'

const CHANNEL = 'comptoir:events'

/** E11: hints between processes by PUBLISH. Nobody waits for Redis: what it loses, the poll finds. */
export function redisNews(url: string, received: (brand_id: number) => void): NewsChannel {
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** (attempt - 1), 1_000),
  }
  const [sender, receiver] = [new Redis(url, options), new Redis(url, options)]
  for (const each of [sender, receiver]) each.on('error', () => {}) // it connects again by itself
  receiver.on('ready', () => void receiver.subscribe(CHANNEL).catch(() => {}))
  receiver.on('message', (_channel: string, message: string) => {
    for (const id of message.split(',')) received(Number(id))
  })
  return {
    send: (brand_ids) => void sender.publish(CHANNEL, brand_ids.join(',')).catch(() => {}),
    close() {
      sender.disconnect()
      receiver.disconnect()
    },
  }
}
