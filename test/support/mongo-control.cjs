// A client of MongoDB on Node, for comparison: prints the time of each read from the primary that was answered, and why others were not.
const { MongoClient } = require('mongodb')

// As the defaults, but each wait has an end: without them, a read that was sent just before a fault could wait for ever.
const options = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 8_000,
  socketTimeoutMS: 8_000,
  waitQueueTimeoutMS: 8_000,
  heartbeatFrequencyMS: 2_000,
}
/** Connects, however often that needs to be tried: a client whose first connection fails stays closed for ever. */
async function connected() {
  for (;;) {
    try {
      return await new MongoClient(process.argv[2], options).connect()
    } catch {
      await pause()
    }
  }
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 200))
async function run() {
  const client = await connected()
  for (;;) {
    const fault = await client
      .db()
      .collection('control')
      .findOne({})
      .then(
        () => null,
        (error) => error,
      )
    // A read that was slow is one that was answered late, so its time is that of its answer.
    process.stdout.write(
      fault ? `${fault.name}: ${fault.message.replaceAll('\n', ' ')}\n` : `${Date.now()}\n`,
    )
    await pause()
  }
}
// It ends with the test that started it.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(0), 500)
run()
