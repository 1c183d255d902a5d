/** Names what a probe sees, without which the API would still do as is assumed: a note, whatever the exit code is. */
export interface Note {
  readonly lie: string;
  readonly by: 'read' | 'write';
  readonly says: readonly RegExp[];
}

export const notes: readonly Note[] = [
  { lie: 'extra-field', by: 'read', says: [/summaryV2/] },
  { lie: 'unknown-stored', by: 'write', says: [/unknown|extra|other field/i] },
  { lie: 'unknown-refused', by: 'write', says: [/unknown|extra|other field/i] },
  { lie: 'strategy-closed', by: 'write', says: [/strateg/i] },
  { lie: 'edit-deep-merges', by: 'write', says: [/progress/] },
  { lie: 'anything-goes', by: 'write', says: [/type|invalid|bad|wrong|malformed/i] },
  { lie: 'body-text-plain', by: 'read', says: [/text\/plain|content.type|media/i] },
  { lie: 'body-octets', by: 'read', says: [/octet|content.type|media/i] },
  { lie: 'validation-400', by: 'write', says: [/400/] },
];

/** Lies that no probe within 30 writes can find for certain, each with the reason. The judge only reports them. */
export const cannotFind: Readonly<Record<string, string>> = {
  'swap-audiences-obj-problems-obj':
    'no write sends a value to either, and their elements are any objects',
  'text-255':
    'a limit of a length is found only by a text beyond it, and each field may have another',
  'empty-text-null': 'each kind of text needs a write of its own',
  'create-stores-two': 'no answer shows the second study; a list may show it, if there is one',
  'default-size-200': 'a list of more than 100 studies is needed, which a probe must not store',
};

/** What an API may do without a difference for the gateway: no finding may say that anything will not work. */
export const harmless = [
  'create-201',
  'create-202',
  'create-203',
  'edit-202',
  'read-203',
  'beyond-is-404',
  'default-size-20',
  'study-added-meanwhile',
  'many-and-slow',
  'no-studies',
  'count-as-double',
  'ids-upper-case',
  'nullable-null',
] as const;

/** Lies whose names must not be printed: the name of a field is a secret, a text of a person, or moves a terminal. */
export const secrets: Readonly<Record<string, RegExp>> = {
  'field-named-token': /judge-token-4711/,
  'field-named-email': /jane\.doe|hospital\.example/,
  'field-named-id': /5eed0000-0000-4000/,
  'field-named-text': /Patient 17/,
  'field-named-with-escape': /\p{Cc}\[2J|owned/u,
  'refusal-with-token': /judge-token-4711/,
};

/**
 * Defects of the probe: lies that a probe can find and that this one misses, alone or in a pair, and harmless changes that it
 * takes for lies. The judge fails on every other miss, and when one of these is no longer missed: then take it out.
 */
export const missedToday: ReadonlySet<string> = new Set<string>([]);
