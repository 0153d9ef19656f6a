/** How much each experiment does: in the test command, and in full. */
const TABLE = {
  minutes: [20, 120], // an experiment is given up after several times as long as it usually takes
  slack: [8, 1], // times as long as promised that something may take: the quick form runs on busy machines
  shed: [0.25, 0], // share of requests that may be shed: on a busy machine the event loop is late
  // acknowledged writes
  sqliteKills: [2, 500],
  workerKills: [1, 100],
  serverKills: [1, 100],
  restartMs: [20_000, 2_000], // the 95th percentile; on a machine that does other things too, the first
  closeKills: [2, 100], // on each engine
  raceWorkers: [2, 8], // on PostgreSQL: of the races for orders and closes
  closeRounds: [2, 100], // on each engine
  closeRacers: [60, 200],
  // a chain of venues, on PostgreSQL
  chainVenues: [20, 1_000],
  closesASecond: [10, 100],
  chainSeconds: [4, 20],
  // orders, on each engine
  portionRounds: [1, 10],
  portionRacers: [150, 500],
  orderRaces: [60, 1_000],
  orderKills: [2, 50],
  erasureKills: [1, 50], // on each engine
  settlingKills: [1, 5], // each of which takes most of a minute
  venueKills: [3, 350], // on each engine
  tableKills: [2, 200], // on each engine
  tableSteps: [160, 10_000],
  tableWorkers: [2, 4], // on PostgreSQL
  rushSeconds: [8, 600],
  // the change feed
  feedEvents: [2_000, 1_000_000], // on each engine
  writerKills: [2, 200],
  feedServerKills: [1, 50],
  mutationMs: [240_000, 240_000], // by when a wrong feed must have been noticed
  waits: [200, 2_000], // on one worker, four for each integrator
  // menus: steps and reads on each engine
  menuSteps: [300, 100_000],
  menuReads: [60, 5_000],
  spoiltSheets: [200, 2_000],
  importKills: [2, 100], // on each engine
  priceInstants: [10_000, 1_000_000],
  pricedOrders: [60, 5_000],
  // webhooks, on each engine
  webhookDeliveries: [2_000, 200_000],
  senderKills: [3, 200],
  goodReceivers: [1, 3],
  awayEvents: [1_000, 100_000],
  rotations: [1, 20],
  mutatedDeliveries: [1_000, 100_000],
  frozenReceivers: [20, 100],
  frozenSeconds: [0.5, 10],
  senderFaults: [10, 400],
  // printing, on each engine
  printKills: [3, 500],
  printerAwaySeconds: [5, 600],
  printedTickets: [100, 2_000],
  printStoppedSeconds: [17, 30], // beyond the 15 s of a lease
  manyPrinters: [40, 200],
  manyJobsASecond: [20, 100],
  manySeconds: [5, 60],
  hostileNames: [1_000, 100_000],
  // refused writes
  lockedMs: [12_000, 15_000], // well beyond the 8 s after which the shedder answers
  crowdOfWriters: [1_000, 1_500], // several batches that share a commit
  slowBodies: [20, 50],
  answeredMs: [40_000, 6_000], // on a machine that does other things too, the first
  // idempotency
  cutAnswers: [30, 1_000],
  races: [3, 200],
  // uniqueness
  contested: [20, 5_000],
  racers: [3, 8],
  // limits
  counters: [3, 8],
  sharedDecisions: [20_000, 1_000_000],
  rememberingMs: [2_500, 20_000],
  fullMinutes: [0, 3],
  memoryDecisions: [200_000, 10_000_000],
  addresses: [2_000_000, 10_000_000],
  // fuzz
  requestsOnSqlite: [4_000, 800_000],
  requestsOnPostgres: [3_000, 200_000],
  rawRequests: [300, 20_000],
  pageRequests: [400, 20_000], // on SQLite; a quarter of it on PostgreSQL
  pageTries: [3, 60], // for each route
  // isolation
  isolationRounds: [1, 40],
  minProbes: [2_000, 50_000], // on each engine
  // store calls
  officeRoutes: [0, 1], // whether those of the back office are tried too
  silentRedis: [80, 10_000], // at most
  silentRounds: [1, 12],
  randomFaults: [300, 2_500],
  // slow and greedy clients
  slowSockets: [200, 1_000],
  cutMs: [20_000, 12_000], // 10 s for a request, looked at once a second; 5 s less for its headers
  slowReaders: [30, 200], // each is first given the 4 MB that the system holds for it
  readersMib: [128, 256], // an answer of 400 kB for each, twice while it is written, and garbage
  readersCut: [0, 1], // whether their end is waited for, which comes within 40 s
  endlessBodies: [40, 200],
  unwantedBodies: [10, 50],
  connects: [1_000, 8_000],
  idleConnects: [200, 2_000],
  probeP99Ms: [10_000, 250],
  // the disk, the schema, the clock, the event loop
  fsyncErrors: [20, 100],
  migrationKills: [1, 1_000], // as many as there are statements, if that is fewer
  pauses: [2, 20],
  replacedMs: [40_000, 15_000], // 5 s without a beat, and a start
  filteredProducts: [30_000, 100_000],
  largeReceipts: [80, 200], // of 200 lines with notes, on each engine
  largePageSeconds: [3, 20],
  neighbourMs: [500, 50], // the median; on a machine that does other things too, the first
  // secrets
  canaries: [1, 10],
  timedCalls: [300, 20_000],
  pinGuesses: [3_000, 100_000], // on SQLite; a third of it on PostgreSQL
} as const satisfies Record<string, readonly [quick: number, full: number]>

export type Sizes = Readonly<Record<keyof typeof TABLE, number>>

export const sizesOf = (quick: boolean): Sizes =>
  Object.fromEntries(Object.entries(TABLE).map(([name, both]) => [name, both[quick ? 0 : 1]])) as Sizes
