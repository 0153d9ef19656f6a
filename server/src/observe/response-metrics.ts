import type { Metric, Registry } from 'prom-client'

// Every answer is counted, so counting must cost next to nothing: a look-up and three additions. What Prometheus asks for is put
// together when it asks.

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

interface Answers {
  labels: { method: string; route: string; status: number }
  calls: number
  seconds: number
  /** Calls by the first bucket that holds them; the last is for what none holds. */
  took: number[]
}

/** Adds the counter and the histogram of answers to a registry; labels come from closed sets. */
export function answerMetrics(registry: Registry) {
  const byRoute = new Map<string, Answers[]>()
  const answers = () => [...byRoute.values()].flat()

  add(registry, 'comptoir_requests_total', 'Requests answered', 'counter', () =>
    answers().map(({ labels, calls }) => ({ labels, value: calls })),
  )
  const name = 'comptoir_request_seconds'
  const help = 'Time from the first byte of a request to the last of its answer'
  add(registry, name, help, 'histogram', () =>
    [...byRoute].flatMap(([route, alike]) => {
      let calls = 0
      const buckets = [...BUCKETS, '+Inf'].map((le, index) => {
        for (const { took } of alike) calls += took[index]!
        return { metricName: `${name}_bucket`, labels: { route, le }, value: calls }
      })
      const seconds = alike.reduce((sum, each) => sum + each.seconds, 0)
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: { route }, value: seconds },
        { metricName: `${name}_count`, labels: { route }, value: calls },
      ]
    }),
  )

  return (method: string, route: string, status: number, seconds: number): void => {
    const alike = answersLike(method, route, status)
    alike.calls++
    alike.seconds += seconds
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++
    alike.took[bucket]!++
  }

  // A route has a handful of them, which are found sooner than a text is made of all three.
  function answersLike(method: string, route: string, status: number): Answers {
    const known = byRoute.get(route) ?? []
    for (const answers of known)
      if (answers.labels.status === status && answers.labels.method === method) return answers
    const took = new Array<number>(BUCKETS.length + 1).fill(0)
    const answers = { labels: { method, route, status }, calls: 0, seconds: 0, took }
    byRoute.set(route, [...known, answers])
    return answers
  }
}

function add(registry: Registry, name: string, help: string, type: string, values: () => object[]): void {
  const metric = { name, help, type, aggregator: 'sum' }
  registry.registerMetric({ ...metric, get: async () => ({ ...metric, values: values() }) } as unknown as Metric)
}
