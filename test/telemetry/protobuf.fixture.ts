/** Value of a protobuf field: a number for varint and fixed-length fields, bytes for all others. */
type Field = bigint | Buffer;

/** The values of a message's fields by field number. Values of a repeated field are in the order of the message. */
export type Message = ReadonlyMap<number, readonly Field[]>;

/** Parses a message in the protobuf wire format. @throws Error if the bytes are not a valid message */
export function readMessage(bytes: Buffer): Message {
  const message = new Map<number, Field[]>();
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const readBytes = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The message is cut off.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readField = (wireType: number): Field => {
    if (wireType === 0) return readVarint();
    if (wireType === 1) return readBytes(8).readBigUInt64LE();
    if (wireType === 2) return readBytes(Number(readVarint()));
    if (wireType === 5) return BigInt(readBytes(4).readUInt32LE());
    throw new Error(`There is no wire type ${wireType}.`);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const fields = message.get(tag >> 3) ?? [];
    fields.push(readField(tag & 7));
    message.set(tag >> 3, fields);
  }
  return message;
}

/** Returns the messages in a repeated field. */
export function readMessages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((bytes) => readMessage(bytes as Buffer));
}

export function readText(message: Message, field: number): string {
  return toBytes(message, field).toString('utf8');
}

export function readHex(message: Message, field: number): string {
  return toBytes(message, field).toString('hex');
}

export function readNumber(message: Message, field: number): number {
  return Number(message.get(field)?.[0] ?? 0n);
}

function toBytes(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}
