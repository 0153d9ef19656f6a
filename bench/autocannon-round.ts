import { readFileSync } from 'node:fs'
import type { Round } from './load.ts'
import { PATH } from './request.ts'

// One round by autocannon, where there is no wrk: node autocannon-round.ts MODULE ROUND, and it prints what wrk.lua prints.

const [module = '', text = ''] = process.argv.slice(2)
const { url, method, headers, body, vary, connections, seconds } = JSON.parse(text) as Round
const { default: autocannon } = await import(module)
let turn = 0
const values = vary ? readFileSync(vary.file, 'utf8').trimEnd().split('\n') : []
const result = await autocannon({
  url,
  method,
  headers,
  body,
  connections,
  duration: seconds,
  timeout: 30,
  ...(vary && {
    requests: [
      {
        setupRequest(request: { headers: object }) {
          const value = values[turn++ % values.length]
          if (vary.header === PATH) return { ...request, path: value }
          return { ...request, headers: { ...request.headers, [vary.header]: value } }
        },
      },
    ],
  }),
})
const { user, system } = process.cpuUsage()
process.stdout.write(
  `\n${JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused: result['4xx'] + result['5xx'],
    broken: result.errors,
    cpuSeconds: (user + system) / 1e6,
  })}\n`,
)
