/**
 * The health check of a container: `bun operations/ready.ts PORT` asks `/readyz` on the port of that setting. Exit code 0 if the
 * answer is 200.
 */
const port = process.env[process.argv[2] ?? 'PORT']
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => null,
)
process.exit(answer?.ok ? 0 : 1)
