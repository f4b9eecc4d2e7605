/**
 * Loaded into a product that a test starts. Stops the product when the process of the test has ended, also if that was
 * killed. The parts of the product need no such watch: they stop with their supervisor.
 */
const { ppid } = process
if (process.send === undefined) {
  setInterval(() => {
    if (process.ppid !== ppid) process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}
