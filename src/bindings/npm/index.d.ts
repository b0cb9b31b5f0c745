/// <reference types="node" />
/** A path, bytes, or files by their names, the model first. */
export type Input = string | URL | Uint8Array | ArrayBuffer | Record<string, Uint8Array | ArrayBuffer>;

/** Flags of the command line: `--max-memory 1G` is `maxMemory: '1G'`. */
export interface Options {
  size?: number | string;
  format?: 'png' | 'webp' | 'jpeg' | 'apng' | 'gif' | 'y4m' | 'rgba' | 'npz';
  frames?: number | string | number[];
  /** Seconds that the request may take. */
  timeout?: number;
  /** Strict limits for files of strangers, and a process of their own. */
  untrusted?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: { done: number; total: number; frame: number }) => void;
  /** The path of a file to write; the Buffer is empty then. */
  output?: string | URL;
  [flag: string]: unknown;
}
/** Rows from the top. */
export interface Plane<T = Buffer | Float32Array | Uint32Array> { data: T; width: number; height: number; channels: number }
/** RGBA, 8 bits each. */
export type RawPicture = Plane<Buffer>;
export interface Measures {
  pass: boolean; class: string; pixels: number; max: number; mean: number; share: number; [measure: string]: unknown;
}
export interface PoolOptions {
  program?: string; workers?: number; queue?: number; maxRequest?: number | string;
  /** Paths lead below this folder: all of the machine by default; null: bytes only. */
  root?: string | null;
  /** Milliseconds without a request after which the process ends; the next request starts one. */
  idle?: number;
}
interface Draw {
  (input: Input, options: Options & { raw: true }): Promise<RawPicture>;
  (input: Input, options?: Options): Promise<Buffer>;
}
export interface Pool {
  render: Draw; turntable: Draw;
  thumbnail(input: Input, options?: Options): Promise<Buffer>;
  /** By name, as `planes` lists them; of frame 0 unless `frames` is given. */
  planes(input: Input, options: Options & { planes: string | string[] }): Promise<Record<string, Plane>>;
  frames(input: Input, options: Options & { raw: true }): AsyncGenerator<{ frame: number; data: RawPicture }, void>;
  frames(input: Input, options?: Options): AsyncGenerator<{ frame: number; data: Buffer }, void>;
  inspect(input: Input, options?: Options): Promise<Record<string, any>>;
  compare(a: Input, b: Input, options?: Options): Promise<Measures>;
  diff(a: Input, b: Input, options?: Options): Promise<Record<string, any>>;
  run(command: string, inputs: Input[], options?: Options): Promise<{ code: 0 | 1; data: Buffer; messages: string[] }>;
  /** Resolves when what was asked for is done, and the process is gone. */
  close(): Promise<void>;
}
export function createPool(options?: PoolOptions): Pool;
export const render: Draw, turntable: Draw, thumbnail: Pool['thumbnail'], planes: Pool['planes'],
  frames: Pool['frames'], inspect: Pool['inspect'],
  compare: Pool['compare'], diff: Pool['diff'], run: Pool['run'];
export class ZoetropeError extends Error {
  constructor(code: number, message: string, messages?: string[]); code: number; codeName: string; messages: string[];
}
