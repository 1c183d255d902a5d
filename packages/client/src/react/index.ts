'use client';

// The entry `study-gateway-client/react`, for every client library.
import { useSyncExternalStore } from 'react';
import type { UnsettledWrite, UnsettledWrites } from '../safe-writes/unsettled-writes.js';

const none: readonly UnsettledWrite[] = [];
const toNone = () => none;

/** The writes of this user whose outcome is not known, in all tabs: `unsettledWrites` of `safeWrites`. */
export function useUnsettledWrites({
  list,
  subscribe,
}: UnsettledWrites): readonly UnsettledWrite[] {
  return useSyncExternalStore(subscribe, list, toNone);
}
