# Builds the engine where `make EXE=NAME` is expected, as OpenBench does. Everything else is done by cargo.

EXE ?= assay
ifeq ($(OS),Windows_NT)
    override EXE := $(basename $(EXE)).exe
    BUILT := assay.exe
else
    BUILT := assay
endif
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)

.PHONY: all
all:
	cargo build --release --locked --package assay-engine --bin assay
	cp "$(TARGET)/release/$(BUILT)" "$(EXE)"
