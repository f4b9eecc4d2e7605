import type { BatchAnswer } from 'renown/contracts'
import { lengthField, numberField } from '../parse/binary/protobuf'
import { binarySizes } from './decoding/binary-body'
import { type Dialect, unstored, usualBatchId } from './dialect'

/** Logs of OpenTelemetry as JSON. Rejected records are a partial success, which clients do not send again. */
export const otlpJson: Dialect = {
  batchId: usualBatchId,
  accepted: (answer) =>
    Response.json(
      answer.rejected === 0
        ? {}
        : { partialSuccess: { rejectedLogRecords: String(answer.rejected), errorMessage: faultsOf(answer) } },
      { headers: unstored },
    ),
}

const protobuf = { ...unstored, 'content-type': 'application/x-protobuf' }

/** Logs of OpenTelemetry as Protocol Buffers. */
export const otlpBinary: Dialect = {
  batchId: usualBatchId,
  isBinary: true,
  form: 'otlp',
  sizes: binarySizes,
  accepted: (answer) => new Response(partialSuccess(answer), { headers: protobuf }),
  refused({ detail }, { status, headers }) {
    const wait = headers.get('retry-after')
    return new Response(lengthField(2, Buffer.from(detail)) as Uint8Array<ArrayBuffer>, {
      status,
      headers: { ...protobuf, ...(wait === null ? {} : { 'retry-after': wait }) },
    })
  },
}

function partialSuccess(answer: BatchAnswer): Uint8Array<ArrayBuffer> {
  if (answer.rejected === 0) return new Uint8Array()
  const fields = [numberField(1, answer.rejected), lengthField(2, Buffer.from(faultsOf(answer)))]
  return new Uint8Array(lengthField(1, Buffer.concat(fields)))
}

const faultsShown = 3
const faultsOf = ({ reasons }: BatchAnswer) =>
  reasons
    .slice(0, faultsShown)
    .map(({ line, reason }) => `Record ${line}: ${reason}`)
    .join('. ')
