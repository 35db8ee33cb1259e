/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @defgroup gridftp GridFTP
 *
 * GridFTP transfers over parallel TCP connections, with automatic parallelism. The manual is
 * gridftp.rst.
 */
