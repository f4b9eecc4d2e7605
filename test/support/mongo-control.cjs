// A client of MongoDB on Node, for comparison: prints the time of each ping that was answered.
const { MongoClient } = require('mongodb')

// Each wait has an end. Without these limits, a ping that was sent just before a fault could wait for ever.
const client = new MongoClient(process.argv[2], {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 8_000,
  socketTimeoutMS: 8_000,
  waitQueueTimeoutMS: 8_000,
  heartbeatFrequencyMS: 1_000,
})
const pause = () => new Promise((resolve) => setTimeout(resolve, 200))
async function run() {
  for (;;) {
    const isUp = await client
      .db()
      .command({ ping: 1 })
      .then(
        () => true,
        () => false,
      )
    if (isUp) process.stdout.write(`${Date.now()}\n`)
    await pause()
  }
}
// It ends with the test that started it.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(0), 500)
run()
