import type { Input, Options } from 'zoetrope';

/** `name` tells the snapshots of one test apart; `compare` has limits, as {pixels: 9}. */
export type SnapshotOptions = Options & { name?: string; command?: 'render' | 'thumbnail' | 'turntable'; compare?: Options };
type Result = Promise<{ pass: boolean; message: () => string }>;
export function toMatchModelSnapshot(received: Input, options?: SnapshotOptions): Result;

declare global {
  namespace jest {
    interface Matchers<R, T = {}> { toMatchModelSnapshot(options?: SnapshotOptions): Promise<R> }
  }
}
