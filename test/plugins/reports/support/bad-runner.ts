/** A renderer of PDFs that misbehaves. Id of the report: how. */
const { report_id: how } = (await Bun.stdin.json()) as { report_id: string }

const answer = (about: object, bytes: string) =>
  process.stdout.write(`${JSON.stringify({ standard: 'ua-1', pages: 1, ...about })}\n${bytes}`)

switch (how) {
  case 'hangs':
    setInterval(() => {}, 1_000)
    break
  case 'crashes':
    throw new Error('the renderer broke')
  case 'is killed':
    process.kill(process.pid, 'SIGKILL')
    break
  case 'says nothing':
    break
  case 'writes garbage':
    process.stdout.write('\u0000\u0001 not JSON\nnor a PDF')
    break
  case 'writes a part':
    answer({ length: 1_000 }, '%PDF-1.7 and then')
    break
  case 'writes a PDF without its end':
    answer({ length: 8 }, '%PDF-1.7')
    break
  case 'writes without end':
    for (;;) await Bun.write(Bun.stdout, 'x'.repeat(100_000))
  case 'writes errors without end':
    for (;;) await Bun.write(Bun.stderr, 'x'.repeat(100_000))
  case 'grows': {
    const held: Uint8Array[] = []
    setInterval(() => held.push(new Uint8Array(4_000_000).fill(1)), 1)
    break
  }
  case 'has another token':
    process.on('message', () => process.exit(0))
    process.send?.({ report_id: how, token: 'another' })
    break
}

export {}
