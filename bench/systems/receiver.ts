import { createServer } from 'node:http'

// A receiver of webhooks: answers 204, and a challenge with its text. GET tells how many came, and how long after their events were
// written their first bytes arrived.

let count = 0
let latencies: number[] = []

createServer((request, response) => {
  const at = Date.now()
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count, latencies, at: performance.now() }))
    latencies = []
    return
  }
  let body = ''
  request
    .setEncoding('utf8')
    .on('data', (piece) => (body += piece))
    .once('end', () => {
      const { type, timestamp, data } = JSON.parse(body)
      if (type === 'endpoint.verification') return void response.end(data.challenge)
      count++
      if (latencies.length < 10_000) latencies.push(at - Date.parse(timestamp))
      response.writeHead(204).end()
    })
}).listen(Number(process.argv[2]), '127.0.0.1')
